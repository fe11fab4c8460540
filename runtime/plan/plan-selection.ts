import type { EntityType } from '../edm/index.js';
import type { QueryOptions } from '../uri/query-options.js';
import { requireFewExpansions, type PlanOptions } from './limits.js';
import type { ComputePlan } from './plan-compute.js';
import { planExpand } from './plan-expand.js';
import { keyColumns, planSelect } from './plan-select.js';
import type { Selection } from './read-plan.js';

/** What is read of a record: `$select`, `$compute` and `$expand` together. */
export function planSelection(
  type: EntityType,
  alias: string,
  options: Pick<QueryOptions, 'select' | 'expand'>,
  { scope, columns: computed }: ComputePlan,
  settings: PlanOptions,
  depth: number,
): Selection {
  const expands = planExpand(options.expand ?? [], type, alias, scope, settings, depth);
  if (depth === 1) requireFewExpansions(expands);
  return {
    type,
    alias,
    table: type.table,
    ...planSelect(options.select, type, computed, scope),
    expands,
    etag: type.etag !== undefined,
    keyColumns: keyColumns(type),
  };
}
