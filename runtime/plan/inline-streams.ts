import { streamOf, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ExpandItem } from '../uri/query-options.js';
import type { SelectedStream, Selection } from './read-plan.js';

/** The items of `$expand` that are streams of the type, whose values its records show (protocol 11.2.5.2), and the others. */
export function splitStreams(items: readonly ExpandItem[], type: EntityType): { readonly streams: readonly ExpandItem[]; readonly others: readonly ExpandItem[] } {
  if (type.streams === undefined) return { streams: [], others: items };
  const isStream = ({ path: [first, ...further] }: ExpandItem): boolean => first !== undefined && further.length === 0 && streamOf(type, first.name) !== undefined;
  return { streams: items.filter(isStream), others: items.filter((item) => !isStream(item)) };
}

/** The streams that a selection tells of, those that are expanded with their values. */
export function withValues(items: readonly ExpandItem[], visible: readonly SelectedStream[], { streams = [] }: Pick<Selection, 'streams'>): Pick<Selection, 'streams'> {
  if (items.length === 0) return {};
  const inline = new Set(items.map((item) => nameOf(item, visible)));
  return { streams: visible.flatMap((stream) => (inline.has(stream.name) ? [{ ...stream, inline: true as const }] : streams.includes(stream) ? [stream] : [])) };
}

function nameOf({ path, options }: ExpandItem, visible: readonly SelectedStream[]): string {
  const name = path[0]?.name ?? '';
  if (Object.keys(options).length > 0) throw errors.badOption(`${name} is a media stream and takes no options within $expand.`).at('$expand');
  if (!visible.some((stream) => stream.name === name)) throw errors.notPermitted(name).at(name);
  return name;
}
