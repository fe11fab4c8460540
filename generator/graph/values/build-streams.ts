import { mediaStream, type Stream } from '../../../runtime/edm/index.js';
import type { Property, StructuredType } from '../../csdl/csdl.js';
import { terms } from '../../csdl/terms.js';
import { flagValue, textValue, textValues, type Notes } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import { descriptionOf } from './build-fields.js';
import type { StreamNode } from '../model-graph.js';
import { databaseName, maxColumnBytes } from '../names/names.js';
import { nestedStreams, type StreamContext } from './nested-kinds.js';
import { pathOf } from './nested-members.js';
import type { BuiltType, ValueContext, BuiltFields } from '../built-model.js';
import { isStream } from './value-types.js';

/** A type with streams. */
interface StreamOwner {
  readonly type: StructuredType;
  readonly qualifiedName: string;
  readonly notes: Notes;
  /** Its declared properties, whose values may have streams. */
  readonly own: BuiltFields;
}

/** The media streams of a type, inherited ones first; those of single complex values by path. */
export function buildStreams(
  owner: StreamOwner,
  base: BuiltType | undefined,
  taken: Set<string>,
  context: StreamContext,
): Pick<BuiltType, 'streams'> & { readonly nested: ReturnType<typeof nestedStreams> } {
  const { type, qualifiedName } = owner;
  const properties = type.properties.flatMap((property) => (property.kind === 'Property' && isStream(property, context) ? [property] : []));
  const nested = nestedStreams(type, owner.own, context);
  const ofValues = nested.single.flatMap((one) => {
    const { found } = one;
    const name = pathOf(one);
    return buildProperty(found.property, found.owner.qualifiedName, context).map((node) => ({
      ...node,
      name,
      stream: { ...node.stream, column: streamColumn(name) },
    }));
  });
  const own = [...properties.flatMap((property) => buildProperty(property, qualifiedName, context)), ...ofValues];
  const media = type.hasStream && !base?.streams.has(mediaStream) ? [buildMedia(owner, context)] : [];
  return {
    streams: new Map([
      ...inherited(base?.streams),
      ...[...media, ...own].map((node) => [node.name, placed(node, type.name, base, taken)] as const),
    ]),
    nested,
  };
}

function inherited(streams: BuiltType['streams'] = new Map()): readonly (readonly [string, StreamNode])[] {
  return [...streams].map(([name, node]) => [name, { ...node, inherited: true as const }] as const);
}

// Types that share a table may have streams of one name: the first has the plain columns.
function placed(node: StreamNode, owner: string, base: BuiltType | undefined, taken: Set<string>): StreamNode {
  const column = base !== undefined && taken.has(node.stream.column) ? streamColumn(`${owner}.${node.name}`) : node.stream.column;
  taken.add(column);
  return { ...node, stream: { ...node.stream, column } };
}

function buildMedia({ type, notes }: StreamOwner, context: ValueContext): StreamNode {
  return {
    at: type.at,
    name: mediaStream,
    description: undefined,
    stream: { column: streamColumn(mediaStream), ...mediaTypesOf(notes, context) },
  };
}

function buildProperty(property: Property, owner: string, context: ValueContext): readonly StreamNode[] {
  const { at, name, collection, nullable, maxLength } = property;
  const { report } = context;
  if (collection) {
    report(faults.nestedStream(at, `${owner}/${name}`, 'a collection'));
    return [];
  }
  const notes = context.notesOf(`${owner}/${name}`, property.annotations);
  const readOnly = [terms.computed, terms.immutable].some((term) => flagValue(notes.find(term), report));
  const stream: Stream = {
    column: streamColumn(name),
    ...(nullable !== false && { nullable: true as const }),
    ...(readOnly && { readOnly: true as const }),
    ...(typeof maxLength === 'number' && { maxLength }),
    ...mediaTypesOf(notes, context),
  };
  return [{ at, name, description: descriptionOf(notes, context), stream }];
}

// The longest suffix of a column is `.length` or `.stream`.
function streamColumn(name: string): string {
  return databaseName(`#${name}`, maxColumnBytes - '.stream'.length);
}

function mediaTypesOf(notes: Notes, { report }: ValueContext): Pick<Stream, 'mediaTypes'> {
  const listed = notes.find(terms.acceptableMediaTypes);
  const types = textValues(listed?.value, terms.acceptableMediaTypes, report);
  // An incomplete list would reject acceptable types.
  if (listed?.value?.kind === 'collection' && types.length === listed.value.items.length)
    return { mediaTypes: types.map(({ value }) => value.toLowerCase()) };
  const note = notes.find(terms.mediaType);
  // With a path, the type depends on the entity, and any is accepted.
  const fixed = note?.value?.kind === 'constant' ? textValue(note.value, terms.mediaType, report)?.value : undefined;
  return fixed === undefined ? {} : { mediaTypes: [fixed.toLowerCase()] };
}
