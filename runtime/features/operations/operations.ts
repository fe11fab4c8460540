import { httpHooks } from '../../http/hooks.js';
import { planHooks } from '../../plan/hooks.js';
import { callOperation } from './http/call-operation.js';
import { planCallPath } from './plan/find-call.js';
import { parameterNames } from './plan/plan-call.js';
import type { Service } from '../../http/service.js';
import { isTypeOrBase } from '../../plan/path/derivation.js';
import { type EntityType, notImplemented, type Operation } from '../../edm/index.js';
import type { AdvertisedOperation } from '../../response/record-format.js';
import { localName } from '../../edm/lookup.js';

/** Registers the calls of actions and functions. */
export function registerOperations(): void {
  planHooks.register({ planCallPath });
  httpHooks.register({ callOperation, parameterNames, advertised: advertisedBy });
}

/** The operations with handlers that any caller may call on a single entity of a type. */
function advertisedBy({ container, operations: handlers = {} }: Service): (type: EntityType) => readonly AdvertisedOperation[] {
  const all = Object.values(container.operations ?? {});
  const isCallable = ({ handler, permissions, unsupported }: Operation): boolean =>
    handlers[handler] !== undefined && handlers[handler] !== notImplemented && permissions === undefined && unsupported === undefined;
  return (type) =>
    all.flatMap((overloads) => {
      const fitting = overloads.filter((operation) => isCallable(operation) && isBoundTo(operation, type));
      return nearest(fitting, type).map((operation, _, those) => advertised(operation, those.length > 1));
    });
}

function isBoundTo({ binding }: Operation, type: EntityType): boolean {
  return binding !== undefined && !binding.collection && isTypeOrBase(type, binding.type);
}

// An overload of a derived type replaces that of its base.
function nearest(overloads: readonly Operation[], { qualifiedName, baseTypes = [] }: EntityType): readonly Operation[] {
  const types = [qualifiedName, ...baseTypes];
  const first = types.find((name) => overloads.some(({ binding }) => binding?.type === name));
  return overloads.filter(({ binding }) => binding?.type === first);
}

// Overloads differ in the names of their parameters.
function advertised({ kind, name, parameters }: Operation, isOverloaded: boolean): AdvertisedOperation {
  const names = parameters.map((parameter) => parameter.name);
  const call = kind === 'Function' ? `(${names.map((parameter) => `${parameter}=@${parameter}`).join(',')})` : '';
  const title = localName(name);
  return { name: kind === 'Function' && isOverloaded ? `${name}(${names.join(',')})` : name, title, target: `${name}${call}` };
}
