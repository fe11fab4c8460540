import { within } from './check-property.js';
import { type TypedExpr } from '../typed-expr.js';
import type { PathTarget } from './resolved-path.js';

/** Whether the entity at a path exists; undefined where it always does. */
export function existsOf({ joinSteps, is }: Extract<PathTarget, { kind: 'record' }>): TypedExpr | undefined {
  return joinSteps.length === 0 ? is : { kind: 'exists', type: 'Edm.Boolean', nullable: false, joinSteps };
}

/** The `#id` of the entity at a path, equal for two paths to one entity; null if there is none. */
export function numberOf({ joinSteps, alias }: Extract<PathTarget, { kind: 'record' }>): TypedExpr {
  return within(joinSteps, { kind: 'column', type: 'Edm.Int64', collection: false, nullable: false, alias, column: '#id' });
}
