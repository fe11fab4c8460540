import { isArray, primitives, type CellKind } from '../../runtime/edm/index.js';
import type { EntityNode, FieldNode } from './model-graph.js';

/** The shared column of properties that do not fit into a row. */
export const moreColumn = '#more';

/** The space of a row in a page, of 8 160 bytes in PostgreSQL. */
const rowBytes = 7_500;

/** The columns of a table, with space for dropped ones; PostgreSQL's limit is 1 600. */
const rowColumns = 1_400;

/** Values up to this size stay in the row, a longer one leaves a pointer of 18 bytes. */
const inlineBytes = 24;

/** The properties, with those marked that do not fit into a row at their maximum lengths. */
export function placeColumns(
  fields: readonly FieldNode[],
  entity: Pick<EntityNode, 'key' | 'keyColumns' | 'valueJoins' | 'streams' | 'navigation' | 'parents' | 'indexes' | 'rules'>,
): readonly FieldNode[] {
  const pinned = pinnedColumns(fields, entity);
  const internal = entity.parents.length + entity.navigation.filter(({ relation }) => relation?.internal !== undefined).length;
  const ofStreams = 4 * entity.streams.length;
  // The row's header and null bitmap, #id, #version, foreign keys, #search, #more and #open.
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

// Properties of constraints, indexes and stamps must be columns.
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

/** The sizes of fixed-size types, including alignment. */
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
