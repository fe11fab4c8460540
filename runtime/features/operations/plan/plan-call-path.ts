import { errors } from '../../../errors/catalogue.js';
import type { Binding, OperationTarget, PathContext, Target } from '../../../plan/path/path-target.js';
import { entityTypeNamed, recordTypeNamed } from '../../../plan/path/derivation.js';
import { continuePath, planPath } from '../../../plan/read/plan-path.js';
import type { ResourcePath } from '../../../uri/resource-path.js';
import { findCall } from './find-call.js';
import { transientSource } from './transient-source.js';
import { transientValue, valueTarget } from './transient-type.js';

/** The call in a path; undefined for a path without one. */
export function planCallPath({ parts }: ResourcePath, context: PathContext): OperationTarget | undefined {
  return findCall(parts, (before) => beforeCall(planPath({ parts: before }, context), context), context.container);
}

function beforeCall(target: Target, context: PathContext): Omit<Binding, 'parts'> {
  return target.kind === 'operation' ? { target: resultTarget(target, context), composed: true } : { target };
}

// The result type of a function is known, and with it that of the following path.
function resultTarget({ overloads: named, part, rest, name }: OperationTarget, context: PathContext): Target {
  const overloads = named.filter(({ kind }) => kind === 'Function');
  const given = part.key?.kind === 'named' ? part.key.literals.length : 0;
  const operation = overloads.find(({ parameters }) => parameters.length === given) ?? overloads[0] ?? named[0];
  const result = operation?.composable && operation.result;
  if (!operation || !result) throw errors.notFound(`operation after ${operation?.name ?? name}, which is not composable`);
  if (result.field) return valueTarget(transientValue(context.container, operation.name, result.field), rest, context);
  const declared = recordTypeNamed(context.container, result.type);
  const type = entityTypeNamed(context.container, result.type) ?? (declared && transientSource(context.container, declared).type);
  if (type === undefined) throw new Error(`The container has no entity type ${result.type}.`);
  const whole: Target = {
    kind: result.collection ? 'collection' : 'entity',
    suffix: '',
    type,
    alias: context.aliases.next(),
    parents: [],
    key: [],
    via: undefined,
  };
  return continuePath(whole, { name: type.name, ...(part.resultKey && { key: part.resultKey }) }, rest, context);
}
