import type { EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { QueryOptions } from '../uri/query-options.js';
import { requireFewExpansions, type PlanOptions } from './limits.js';
import type { ComputePlan } from './plan-compute.js';
import { planExpand } from './plan-expand.js';
import { chooseItems } from './plan-items.js';
import { splitStreams, withValues } from './inline-streams.js';
import { keyColumns, planSelect, visibleStreams } from './plan-select.js';
import type { Selection } from './read-plan.js';
import { shownName } from './shown-path.js';

/** Plans `$select`, `$compute` and `$expand` together. */
export function planSelection(
  type: EntityType,
  alias: string,
  options: Pick<QueryOptions, 'select' | 'expand'>,
  { scope, columns: computed }: ComputePlan,
  settings: PlanOptions,
  depth: number,
): Selection {
  const { streams, others } = splitStreams(options.expand ?? [], type, scope.container);
  const selected = planSelect(options.select, type, computed, scope);
  const expands = planExpand(others, type, alias, scope, settings, depth);
  if (depth === 1) requireFewExpansions(expands);
  const inline = withValues(streams, streams.length > 0 ? visibleStreams(type, scope) : [], selected, {
    alias,
    container: scope.container,
  });
  for (const path of [
    ...expands.map(({ within, name }) => (within === undefined ? name : `${within}/${name}`)),
    ...streams.map(({ name }) => name),
  ])
    requireSelected(path, selected);
  const columns = chooseItems(selected.columns, options.select ?? [], { type, alias }, { ...scope, option: '$select' });
  return {
    type,
    alias,
    table: type.table,
    ...selected,
    ...inline,
    columns,
    expands,
    etag: type.etag !== undefined,
    keyColumns: keyColumns(type),
  };
}

/** Rejects an expansion within a complex value that is not selected. */
export function requireSelected(path: string, selection: Pick<Selection, 'columns'>): void {
  const end = path.lastIndexOf('/');
  const within = shownName(path.slice(0, Math.max(0, end)));
  if (within !== '' && !isSelected(within, selection))
    throw errors
      .badOption(`$expand needs ${path.slice(end + 1)} within ${within}, which $select omits; add ${within} to it.`)
      .at('$expand');
}

function isSelected(within: string, { columns }: Pick<Selection, 'columns'>): boolean {
  return columns.some(({ name, paths = [name] }) =>
    paths.some((shown) => `${shownName(shown)}/`.startsWith(`${within}/`) || `${within}/`.startsWith(`${shownName(shown)}/`)),
  );
}
