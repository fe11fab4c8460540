import { planHooks } from '../hooks.js';
import type { EntityType } from '../../edm/entity-type.js';
import { errors } from '../../errors/catalogue.js';
import type { CommonExpr } from '../../expression/ast.js';
import type { QueryOptions } from '../../uri/query-options.js';
import { checkCondition, checkExpr, checkOperand } from '../check/check-expr.js';
import { both, constant } from '../expr-facts.js';
import { recordAt, type RequestScope, type Scope } from '../scope.js';
import type { TypedExpr } from '../typed-expr.js';
import { type ComputePlan, planCompute } from './plan-compute.js';

/** The condition of a read: `$filter` and `$search` combined (protocol 11.2.6.6). */
export function planCondition({ filter, search }: Pick<QueryOptions, 'filter' | 'search'>, scope: Scope): TypedExpr | undefined {
  const filtered = planFilter(filter, scope);
  if (search === undefined || scope.implicit.kind !== 'record') return filtered;
  const searched = planHooks.get('search').plan(search, scope.implicit.type, scope.implicit.source, scope);
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
  return restricted ? constant(false) : typed;
}

/** The scope of the addressed entities, each of which is also `$this`: next links of expanded collections use it. */
export function rootScope(target: { readonly type: EntityType; readonly alias: string }, scope: RequestScope): Scope {
  const { container, caller, aliases, advice } = scope;
  const implicit = recordAt(target);
  return {
    option: '$filter',
    container,
    caller,
    aliases,
    implicit,
    variables: new Map([
      ['$it', implicit],
      ['$this', implicit],
    ]),
    checks: { expr: checkExpr, operand: checkOperand, condition: checkCondition },
    ...(advice && { advice }),
    onRestricted: () => undefined,
  };
}

/** `$compute`, if there is one: the scope with its names, and its values. */
export function planComputed({ compute }: Pick<QueryOptions, 'compute'>, type: EntityType, scope: Scope): ComputePlan {
  return compute === undefined ? { scope, columns: [] } : planCompute(compute, type, scope);
}

/** Rejects reading a collection without the filter that the model requires (RequiresFilter, RequiredProperties). */
export function requireFilter({ name, requiresFilter }: EntityType, filters: readonly CommonExpr[]): void {
  if (requiresFilter === undefined) return;
  const named = namesIn(filters);
  const missing = requiresFilter.filter((property) => !named.has(property));
  if (filters.length > 0 && missing.length === 0) return;
  const by = missing.length === 0 ? '' : ` by ${missing.join(' and ')}`;
  throw errors.badOption(`${name} can be read with $filter only: the model requires a filter${by}.`).at('$filter');
}

// The first names of all paths in an expression.
function namesIn(filter: unknown): ReadonlySet<string> {
  if (typeof filter !== 'object' || filter === null) return new Set();
  const inner = Object.values(filter).flatMap((value) => [...namesIn(value)]);
  return new Set(
    'kind' in filter && filter.kind === 'member' ? [...inner, firstName(filter as Extract<CommonExpr, { kind: 'member' }>)] : inner,
  );
}

function firstName({ path }: Extract<CommonExpr, { kind: 'member' }>): string {
  const [first, second] = path;
  return (first?.name === '$it' ? second : first)?.name ?? '';
}
