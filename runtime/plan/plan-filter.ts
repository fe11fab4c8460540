import type { CommonExpr } from '../expression/ast.js';
import { checkCondition } from './check-expr.js';
import type { Scope } from './scope.js';
import type { TypedExpr } from './typed-expr.js';

/**
 * A filter, checked. Where it touches a property that the caller may not see, under whatever operator, no record
 * matches (specification 4.4 and 5.2): a `not` around it must not turn that into every record.
 */
export function planFilter(expr: CommonExpr | undefined, scope: Scope): TypedExpr | undefined {
  if (expr === undefined) return undefined;
  let restricted = false;
  const onRestricted = (): void => {
    restricted = true;
  };
  const typed = checkCondition(expr, { ...scope, option: '$filter', onRestricted });
  return restricted ? { kind: 'constant', type: 'Edm.Boolean', nullable: false, value: false } : typed;
}
