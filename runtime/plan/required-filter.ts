import type { EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { CommonExpr } from '../expression/ast.js';

/**
 * Rejects reading a collection without the filter that the model requires (Capabilities.FilterRestrictions:
 * RequiresFilter, RequiredProperties).
 */
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
