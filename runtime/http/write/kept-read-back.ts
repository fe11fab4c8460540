import type { EntityType } from '../../edm/entity-type.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import type { WriteScope } from '../../store/write-scope.js';
import type { Exchange } from '../service.js';
import { type PreparedEntity, mostShapes, type PlanCache, planKey } from '../read/plan-cache.js';
import { memoized } from '../../edm/memoized.js';

/** An entity's type and address, with the names that the request gives some entities. */
export interface Addressed extends Pick<RecordTarget, 'type' | 'address'> {
  /** The key in the path of the request. */
  readonly key?: RecordTarget['key'];
  readonly named?: WriteScope['named'];
}

/** A planned and compiled read of a written entity, for any `#id`. */
export type ReadBack = Pick<PreparedEntity, 'plan' | 'statements' | 'rendererOf'>;

const keptOf = memoized((_plans: PlanCache) => memoized((_type: EntityType) => new Map<string, ReadBack>()));

/** The cached read-back of an entity that is identified by its `#id` alone. */
export function keptReadBack(
  target: Addressed,
  id: string,
  exchange: Exchange,
  context: string | undefined,
  prepare: () => ReadBack,
): ReadBack {
  const { plans } = exchange.service;
  if (plans === undefined || !isUsual(target, exchange)) return prepare();
  const kept = keptOf(plans)(target.type);
  const key = planKey('', exchange.caller, context ?? '$context');
  const known = kept.get(key);
  if (known !== undefined) {
    const { plan, statements, rendererOf } = known;
    return { plan, statements: { row: { ...statements.row, bind: [id] } }, rendererOf };
  }
  const prepared = prepare();
  const { row, expanded } = prepared.statements;
  if (row.bind.length !== 1 || expanded !== undefined) return prepared;
  // The number of scope combinations is unbounded.
  if (kept.size >= mostShapes) kept.clear();
  kept.set(key, prepared);
  return prepared;
}

// The request has no options for the answer, nor advice in it, and the address has only the key.
function isUsual({ type, named }: Addressed, { options, caller, context }: Exchange): boolean {
  const { select, expand, compute } = options;
  return (
    !type.contained && !context.advice?.length && (named?.size ?? 0) === 0 && caller === context.caller && !select && !expand && !compute
  );
}
