import { streamOf, type EntityContainer, type EntityType } from '../edm/index.js';
import { nestedStreamOf } from './path/nested-path.js';
import { errors } from '../errors/catalogue.js';
import type { ExpandItem } from '../uri/query-options.js';
import { castSegment } from './check/type-cast.js';
import type { SelectedStream, Selection } from './read-plan.js';
import { castValueAt } from './value-at.js';

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
export function splitStreams(
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
export function withValues(
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
