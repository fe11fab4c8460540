import type { EntityType } from '../edm/index.js';
import type { QueryOptions } from '../uri/query-options.js';
import type { PlanOptions } from './limits.js';
import { planExpand } from './plan-expand.js';
import { keyColumns, planSelect } from './plan-select.js';
import type { Selection } from './read-plan.js';
import type { Scope } from './scope.js';

/** What is read of a record: `$select` and `$expand` together. */
export function planSelection(
  type: EntityType,
  alias: string,
  options: Pick<QueryOptions, 'select' | 'expand'>,
  scope: Scope,
  settings: PlanOptions,
  depth: number,
): Selection {
  return {
    type,
    alias,
    table: type.table,
    columns: planSelect(options.select, type, scope.caller),
    expands: planExpand(options.expand ?? [], type, alias, scope, settings, depth),
    etag: type.etag !== undefined,
    keyColumns: keyColumns(type),
  };
}
