import type { Service } from '../../../http/service.js';
import { isTypeOrBase } from '../../../plan/path/derivation.js';
import { type EntityContainer, type EntityType, notImplemented, type Operation, qualify } from '../../../edm/index.js';
import type { SelectItem } from '../../../uri/query-options.js';
import type { RecordFormat, AdvertisedOperation } from '../../../response/record-format.js';
import { localName } from '../../../edm/lookup.js';
/** The operations with handlers that any caller may call on a single entity of a type. */
export function advertisedBy({ container, operations: handlers = {} }: Service): (type: EntityType) => readonly AdvertisedOperation[] {
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

/**
 * An entity has the operations that `$select` names, and none if it selects only properties (URL conventions 5.1.4).
 */
export function selectOperations(format: RecordFormat, items: readonly SelectItem[], container: EntityContainer): RecordFormat {
  const { operationsOf, ...others } = format;
  if (operationsOf === undefined) return format;
  const asked = items.flatMap((item) => askedBy(item, container) ?? []);
  if (asked.length === 0) return others;
  return { ...others, operationsOf: (type) => operationsOf(type).filter(({ name }) => asked.some((isAsked) => isAsked(name))) };
}

// An overload is selected by the names of its parameters: `Ns.Function(a,b)`.
function askedBy(item: SelectItem, container: EntityContainer): ((name: string) => boolean) | undefined {
  if (item.kind === 'operations') {
    const namespace = qualify(container, `${item.namespace}.`);
    return (name) => namespace === name.slice(0, nameOf(name).lastIndexOf('.') + 1);
  }
  const [first, second] = item.kind === 'member' ? item.path : [];
  if (item.kind !== 'member' || first === undefined || second !== undefined || !first.name.includes('.')) return undefined;
  const qualified = qualify(container, first.name);
  const whole = item.parameterNames && `${qualified}(${item.parameterNames.join(',')})`;
  return (name) => nameOf(name) === qualified && (whole === undefined || name === qualified || name === whole);
}

function nameOf(overload: string): string {
  return overload.split('(')[0] ?? overload;
}
