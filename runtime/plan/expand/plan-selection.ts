import { type EntityContainer, type EntityType, streamOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ExpandItem, QueryOptions } from '../../uri/query-options.js';
import { castSegment } from '../path/type-cast.js';
import { type Caller, requireShownKey } from '../caller.js';
import { type PlanOptions, requireFewExpansions } from '../limits.js';
import { nestedStreamOf } from '../path/nested-path.js';
import type { ComputePlan } from '../options/plan-compute.js';
import { planExpand } from './plan-expand.js';
import { chooseItems } from '../options/plan-items.js';
import { keyColumns, narrowed, planSelect } from '../options/plan-select.js';
import { bothSelected, type Selected } from '../complex-selection.js';
import { hierarchyColumns } from '../hierarchy-members.js';
import type { ExpandPlan, SelectedColumn, Selection } from '../read-plan.js';
import { shownName } from '../shown-path.js';

/** Plans `$select`, `$compute` and `$expand` together. */
export function planSelection(
  type: EntityType,
  alias: string,
  options: Pick<QueryOptions, 'select' | 'expand'>,
  { scope, columns: computed }: ComputePlan,
  settings: PlanOptions,
  depth: number,
): Selection {
  for (const item of options.expand ?? []) refuseStream(item, type, scope.container);
  const selected = planSelect(options.select, type, computed, scope);
  const planned = options.expand === undefined ? [] : planExpand(options.expand, type, alias, scope, settings, depth);
  const expands = selected.id === 'hidden' ? withoutAddresses(planned, type, scope.caller) : planned;
  if (depth === 1) requireFewExpansions(expands);
  const shown = [...selected.columns, ...placesOf(expands, selected.columns, type, scope.container)];
  const columns = options.select ? chooseItems(shown, options.select, { type, alias }, scope) : shown;
  return {
    type,
    alias,
    table: type.table,
    ...selected,
    columns,
    expands,
    etag: type.etag !== undefined,
    keyColumns: keyColumns(type),
  };
}

/** The expansions of a record whose key the caller may not read: the address of a contained entity begins with that of its parent. */
function withoutAddresses(expands: readonly ExpandPlan[], parent: EntityType, caller: Caller): readonly ExpandPlan[] {
  return expands.map((expand) => withoutAddress(expand, parent, caller));
}

function withoutAddress(expand: ExpandPlan, parent: EntityType, caller: Caller): ExpandPlan {
  const { selection, form } = expand;
  if (selection.type.contained === undefined) return expand;
  if (form === 'references') requireShownKey(parent, caller);
  const { page: _, ...others } = expand;
  return {
    ...others,
    selection: { ...selection, id: 'hidden', expands: withoutAddresses(selection.expands, parent, caller) },
  };
}

// Expanded properties are returned, selected or not: of a complex value that `$select` omits, only those.
function placesOf(
  expands: readonly ExpandPlan[],
  columns: readonly SelectedColumn[],
  type: EntityType,
  container: EntityContainer,
): readonly SelectedColumn[] {
  const places = new Map<SelectedColumn, Selected>();
  for (const { name, within, owner } of expands) {
    if (within === undefined || isSelected(within, columns)) continue;
    const [root = '', ...inner] = within.split('/');
    const isRoot = (column: SelectedColumn): boolean => column.name === root && column.owner === owner;
    const column = columns.some(isRoot) ? undefined : hierarchyColumns(type, container).find(isRoot);
    if (column === undefined)
      throw errors.badOption(`$expand needs ${name} within ${within}, which $select omits; add ${within} to it.`).at('$expand');
    const only = inner.reduceRight<Selected>((selected, part) => new Map([[part, selected]]), new Map());
    places.set(column, bothSelected(places.get(column), only));
  }
  return [...places].map(([column, selected]) => narrowed(column, selected, container));
}

function isSelected(within: string, columns: readonly SelectedColumn[]): boolean {
  return columns.some(({ name, paths = [name] }) =>
    paths.some((shown) => `${shownName(shown)}/`.startsWith(`${within}/`) || `${within}/`.startsWith(`${shownName(shown)}/`)),
  );
}

// Streams are read at their addresses: `Ns.Employee/Photo` is the stream of a derived type, `Sleeve/Front` that of a complex value.
function refuseStream({ path }: ExpandItem, type: EntityType, container: EntityContainer): void {
  const names = path.map(({ name }) => name);
  const owner = castSegment(names[0] ?? '', type, container)?.type;
  const [name = '', ...deeper] = names.slice(owner ? 1 : 0);
  const isStream =
    deeper.length === 0
      ? streamOf(owner ?? type, name) !== undefined
      : nestedStreamOf(owner ?? type, [name, ...deeper], container)?.length === deeper.length + 1;
  if (isStream) throw errors.notImplemented(`$expand of the media stream ${names.join('/')}`, 'Read it at its address.').at('$expand');
}
