import type { CommonExpr } from '../expression/ast.js';
import type { QueryOptions } from '../uri/query-options.js';
import { checkCondition } from './check/check-expr.js';
import { planSearch } from './plan-search.js';
import type { Scope } from './scope.js';
import type { TypedExpr } from './typed-expr.js';
import { both } from './expr-facts.js';

/** The condition of a read: `$filter` and `$search` combined (protocol 11.2.6.6). */
export function planCondition({ filter, search }: Pick<QueryOptions, 'filter' | 'search'>, scope: Scope): TypedExpr | undefined {
  const filtered = planFilter(filter, scope);
  if (search === undefined || scope.implicit.kind !== 'record') return filtered;
  const searched = planSearch(search, scope.implicit.type, scope.implicit.source, scope);
  return both(filtered, searched);
}

/**
 * A checked filter. A filter that uses a property hidden from the caller, under any operator, matches no entity
 * (specification 4.4 and 5.2): a surrounding `not` must not turn that into all entities.
 */
export function planFilter(expr: CommonExpr | undefined, scope: Scope, option = '$filter'): TypedExpr | undefined {
  if (expr === undefined) return undefined;
  let restricted = false;
  const onRestricted = (): void => {
    restricted = true;
  };
  const typed = checkCondition(expr, { ...scope, option, onRestricted });
  return restricted ? { kind: 'constant', type: 'Edm.Boolean', nullable: false, value: false } : typed;
}
