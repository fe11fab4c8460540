import { within } from './check-property.js';
import { type TypedExpr } from '../typed-expr.js';
import type { PathTarget } from './check-path.js';

/** Whether the entity at a path exists; undefined where it always does. */
export function existsOf({ hops, is }: Extract<PathTarget, { kind: 'record' }>): TypedExpr | undefined {
  return hops.length === 0 ? is : { kind: 'exists', type: 'Edm.Boolean', nullable: false, hops };
}

/** The `#id` of the entity at a path, equal for two paths to one entity; null if there is none. */
export function numberOf({ hops, alias }: Extract<PathTarget, { kind: 'record' }>): TypedExpr {
  return within(hops, { kind: 'column', type: 'Edm.Int64', collection: false, nullable: false, alias, column: '#id' });
}
