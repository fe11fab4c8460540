import { isArray, primitives, type CellKind } from '../../runtime/edm/index.js';
import type { EntityNode, FieldNode } from './model-graph.js';

/** The column of the properties that a row has no room for. */
export const moreColumn = '#more';

/** What a row of a page may take; PostgreSQL keeps 8 160 bytes for one. */
const rowBytes = 7_500;

/** Columns that a table may have, with room for those that are dropped later; PostgreSQL stops at 1 600. */
const rowColumns = 1_400;

/** A value up to this size stays in the row, and a longer one leaves a pointer of 18 bytes. */
const inlineBytes = 24;

/** The properties, those marked that the row has no room for when every one of them has its longest value. */
export function placeColumns(
  fields: readonly FieldNode[],
  entity: Pick<EntityNode, 'key' | 'keyColumns' | 'valueJoins' | 'streams' | 'navigation' | 'parents' | 'indexes' | 'rules'>,
): readonly FieldNode[] {
  const pinned = pinnedColumns(fields, entity);
  const internal = entity.parents.length + entity.navigation.filter(({ relation }) => relation?.internal !== undefined).length;
  const ofStreams = 4 * entity.streams.length;
  // The header of a row and the bitmap of its nulls, #id, #version, numbers of related records, #search, #more and #open.
  const fixed = 24 + Math.ceil((fields.length + internal + ofStreams + 5) / 8) + 16 + internal * 8 + (ofStreams + 3) * inlineBytes;
  let bytes = fixed + fields.filter(({ name }) => pinned.has(name)).reduce((sum, node) => sum + widthOf(node), 0);
  let columns = pinned.size + internal + ofStreams + 5;
  return fields.map((node) => {
    if (pinned.has(node.name)) return node;
    const width = widthOf(node);
    if (bytes + width > rowBytes || columns + 1 > rowColumns)
      return { ...node, column: moreColumn, field: { ...node.field, column: moreColumn, more: true } };
    bytes += width;
    columns += 1;
    return node;
  });
}

// What constraints, indexes and stamps are made of must be columns.
function pinnedColumns(
  fields: readonly FieldNode[],
  {
    key,
    keyColumns,
    valueJoins,
    navigation,
    indexes,
    rules,
  }: Pick<EntityNode, 'key' | 'keyColumns' | 'valueJoins' | 'navigation' | 'indexes' | 'rules'>,
): ReadonlySet<string> {
  const paths = [...keyColumns.values(), ...valueJoins.paths, ...navigation.flatMap(({ pathColumns }) => pathColumns)].map(
    ({ path }) => path,
  );
  const within = [...paths, ...navigation.map(({ name }) => name)]
    .filter((path) => path.includes('/'))
    .map((path) => path.slice(0, path.indexOf('/')));
  const named = new Set([...key, ...within, ...indexes.flatMap(({ names }) => names), ...Object.keys(rules.onUpdate)]);
  const joined = new Set([
    ...valueJoins.columns.flat(),
    ...navigation.flatMap(({ relation, navigation: { join } }) => [...(relation?.columns ?? []), ...Object.keys(join)]),
  ]);
  return new Set(
    fields.filter(({ name, column, field }) => named.has(name) || joined.has(column) || field.searchable).map(({ name }) => name),
  );
}

/** Sizes of the types that have one, with what their alignment may cost. */
const widths: { readonly [Kind in CellKind]?: number } = {
  boolean: 1,
  date: 7,
  time: 15,
  timestamp: 15,
  duration: 23,
  guid: 16,
  point: 23,
};
const numberWidths: { readonly [sql: string]: number | undefined } = {
  smallint: 3,
  integer: 7,
  bigint: 15,
  real: 7,
  'double precision': 15,
};

function widthOf({ field }: FieldNode): number {
  const { sql, cell } = primitives[field.type];
  if (field.collection && isArray(field)) return inlineBytes;
  if (cell === 'string') return Math.min(inlineBytes, 1 + 4 * (field.maxLength ?? inlineBytes));
  return widths[cell] ?? numberWidths[sql] ?? inlineBytes;
}
