import { streamOf } from '../edm/index.js';
import { type EntityContainer } from '../edm/entity-container.js';
import { type EntityType } from '../edm/entity-type.js';
import { errors } from '../errors/catalogue.js';
import type { ExpandItem, QueryOptions } from '../uri/query-options.js';
import { castSegment } from './check/type-cast.js';
import { type PlanOptions, requireFewExpansions } from './limits.js';
import { nestedStreamOf } from './path/nested-path.js';
import type { ComputePlan } from './plan-compute.js';
import { planExpand } from './plan-expand.js';
import { chooseItems } from './plan-items.js';
import { keyColumns, planSelect, visibleStreams } from './plan-select.js';
import type { SelectedStream, Selection } from './read-plan.js';
import { shownName } from './shown-path.js';
import { castValueAt } from './check/property-expr.js';

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

/** An item of `$expand` that is a stream. */
interface StreamItem {
  /** Its path, as the type that has it knows it. */
  readonly name: string;
  /** The path as it was asked for. */
  readonly names: readonly string[];
  /** Of a derived type: which. */
  readonly owner: EntityType;
  readonly item: ExpandItem;
}

/** The items of `$expand` that are streams of the type or of its complex values, whose values its records show (protocol 11.2.5.2), and the others. */
function splitStreams(
  items: readonly ExpandItem[],
  type: EntityType,
  container: EntityContainer,
): { readonly streams: readonly StreamItem[]; readonly others: readonly ExpandItem[] } {
  const split = items.map((item) => ({ item, stream: streamNamed(item, type, container) }));
  return { streams: split.flatMap(({ stream }) => stream ?? []), others: split.flatMap(({ item, stream }) => (stream ? [] : [item])) };
}

// `Ns.Employee/Photo` is the stream of a derived type, `Sleeve/Front` that of a complex value.
function streamNamed(item: ExpandItem, type: EntityType, container: EntityContainer): StreamItem | undefined {
  const names = item.path.map(({ name }) => name);
  const owner = castSegment(names[0] ?? '', type, container)?.type;
  const own = names.slice(owner ? 1 : 0);
  const [name = '', second] = own;
  if (second === undefined) return streamOf(owner ?? type, name) ? { name, names: own, owner: owner ?? type, item } : undefined;
  const nested = nestedStreamOf(owner ?? type, own, container);
  return nested?.length === own.length ? { name: nested.path, names: own, owner: owner ?? type, item } : undefined;
}

/** The streams that a selection tells of, those that are expanded with their values; `alias` is the record's. */
function withValues(
  items: readonly StreamItem[],
  visible: readonly SelectedStream[],
  { streams = [] }: Pick<Selection, 'streams'>,
  { alias, container }: { readonly alias: string; readonly container: EntityContainer },
): Pick<Selection, 'streams'> {
  if (items.length === 0) return {};
  const inline = new Map(
    items.map((item) => [requireVisible(item, visible), castValueAt({ type: item.owner, alias }, item.names.slice(0, -1), container)]),
  );
  return {
    streams: visible.flatMap((stream) =>
      inline.has(stream) ? [withValue(stream, inline.get(stream))] : streams.includes(stream) ? [stream] : [],
    ),
  };
}

function withValue(stream: SelectedStream, existsWhere: SelectedStream['existsWhere']): SelectedStream {
  return { ...stream, inline: true, ...(existsWhere && { existsWhere }) };
}

function requireVisible({ name, owner, item: { options } }: StreamItem, visible: readonly SelectedStream[]): SelectedStream {
  if (Object.keys(options).length > 0)
    throw errors.badOption(`${name} is a media stream and accepts no options within $expand.`).at('$expand');
  const found = visible.find((stream) => stream.name === name && (stream.of === undefined || stream.of.has(owner.qualifiedName)));
  if (found === undefined) throw errors.notPermitted(name).at(name);
  return found;
}
