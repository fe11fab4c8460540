import type { PrimitiveTypeName } from '../runtime/edm/index.js';
import { UsageError } from '../generator/config/config.js';
import { suggestion } from '../runtime/errors/suggest.js';
import type { EntityNode, FieldNode, ModelGraph } from '../generator/graph/model-graph.js';
import { expandedNames, type SetQuery } from './set-query.js';

/** A column of a copy. */
export interface CopiedColumn {
  /** The member of a record. */
  readonly name: string;
  readonly column: string;
  /** Edm.ComplexType for all that is kept as JSON. */
  readonly type: PrimitiveTypeName;
  /** The name of the type in a literal: without `Edm.`, or of an enumeration. */
  readonly literal: string;
}

/** An entity set to copy. */
export interface CopiedSet {
  readonly name: string;
  readonly key: readonly CopiedColumn[];
  readonly columns: readonly CopiedColumn[];
  readonly query: SetQuery;
  /** The property with the time of the last change. */
  readonly timestamp: string | undefined;
  /** The service has the set EntityEvent. */
  readonly hasEvents: boolean;
}

/** The set of RESO's change feed (RCP-27). */
export const eventSet = 'EntityEvent';

/** The names of the entity sets of a model. */
export function setNames({ entities }: ModelGraph): readonly string[] {
  return [...new Set(entities.filter(isSet).map(({ place }) => place?.name ?? ''))];
}

/** Describes the copy of a set; throws where a name of the query is not one of the set's. */
export function copiedSet(graph: ModelGraph, name: string, query: SetQuery, timestamp: string): CopiedSet {
  const nodes = graph.entities.filter((node) => isSet(node) && node.place?.name === name);
  const all = uniqueBy(nodes.flatMap(({ fields }) => fields)).map(columnOf);
  const [first] = nodes;
  const key = first?.key.flatMap((each) => all.find((column) => column.name === each) ?? []) ?? [];
  const navigation = new Set(nodes.flatMap((node) => node.navigation.map((each) => each.name)));
  const expanded = expandedNames(query.expand);
  requireKnown(name, query.select ?? [], new Set(all.map((column) => column.name)), 'select');
  requireKnown(name, expanded, navigation, 'expand');
  const time = all.find((column) => column.name === timestamp && column.type === 'Edm.DateTimeOffset')?.name;
  const needed = new Set([...key.map((column) => column.name), ...(time === undefined ? [] : [time]), ...(query.select ?? [])]);
  const selected = query.select === undefined ? all : all.filter((column) => needed.has(column.name));
  return {
    name,
    key,
    columns: [...selected, ...expanded.map(jsonColumn)],
    query: query.select === undefined ? query : { ...query, select: selected.map((column) => column.name) },
    timestamp: time,
    hasEvents: name !== eventSet && setNames(graph).includes(eventSet),
  };
}

/** Whether the key of a set's records consists of their own properties, and not of those within values. */
export function hasOwnKey({ entities }: ModelGraph, name: string): boolean {
  const node = entities.find((each) => isSet(each) && each.place?.name === name);
  return node !== undefined && node.key.length > 0 && node.key.every((each) => node.fields.some((field) => field.name === each));
}

function isSet({ place }: EntityNode): boolean {
  return place?.kind === 'EntitySet';
}

// Several types of one set share its table; a property of several is one column.
function uniqueBy(fields: readonly FieldNode[]): readonly FieldNode[] {
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

// Names of an enumeration are texts; points, shapes and collections are JSON as the service sends it.
function columnOf({ name, column, field, enumeration }: FieldNode): CopiedColumn {
  const isJson = field.collection === true || field.complex !== undefined || /^Edm\.(Geo|Untyped)/.test(field.type);
  const type = isJson ? 'Edm.ComplexType' : enumeration ? 'Edm.String' : field.type;
  return { name, column, type, literal: enumeration?.table.qualifiedName ?? field.type.replace('Edm.', '') };
}

function jsonColumn(name: string): CopiedColumn {
  return { name, column: name, type: 'Edm.ComplexType', literal: 'JSON' };
}

function requireKnown(set: string, names: readonly string[], known: ReadonlySet<string>, option: string): void {
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new UsageError(`--${option}: ${set} has no ${unknown.join(' and no ')}.${suggestion(unknown[0] ?? '', known)}`);
}
