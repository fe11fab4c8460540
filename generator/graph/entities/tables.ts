import type { EntityNode, FieldNode, HierarchyNode, NavigationNode } from '../model-graph.js';
import type { BuiltType, BuiltTypes } from '../built-model.js';
import type { Place } from '../storage.js';
import { grouped } from '../../../runtime/edm/grouped.js';
import { isArray, primitives, type CellKind } from '../../../runtime/edm/index.js';

/** Who derives from whom, and who shares a table, by qualified name. */
export interface Kinship {
  readonly derived: ReadonlyMap<string, readonly string[]>;
  /** How many types have their records in the table of a root. */
  readonly sharing: ReadonlyMap<string, number>;
}

/** Looks at every type once, since a model may have tens of thousands. */
export function kinshipOf(types: BuiltTypes): Kinship {
  const derived = new Map<string, string[]>();
  const sharing = new Map<string, number>();
  for (const { qualifiedName, bases, root } of types.values()) {
    for (const base of bases) {
      const known = derived.get(base.qualifiedName);
      if (known) known.push(qualifiedName);
      else derived.set(base.qualifiedName, [qualifiedName]);
    }
    if (root !== undefined) sharing.set(root, (sharing.get(root) ?? 0) + 1);
  }
  return { derived, sharing };
}

/** An entity type's position in its hierarchy; with a suffix, only among the types of one entity source. */
export function hierarchyOf(
  { qualifiedName, root, bases, definition }: BuiltType,
  { derived, sharing }: Kinship,
  base: EntityNode | undefined,
  { place, suffix }: { readonly place: Place | undefined; readonly suffix: string },
): HierarchyNode {
  const shared = suffix === '' ? sharing.get(root ?? '') : 1 + (derived.get(place?.declared ?? '')?.length ?? 0);
  return {
    base,
    bases: bases.map((one) => one.qualifiedName),
    derived: derived.get(qualifiedName) ?? [],
    abstract: definition.abstract,
    root: suffix === '' ? root : `${place?.declared ?? ''}${suffix}`,
    discriminated: (shared ?? 0) > 1,
    setType: place?.declared === qualifiedName ? undefined : place?.declared,
  };
}

/** The types with their properties marked that a row of their table has no room for. */
export function placeProperties(entities: readonly EntityNode[]): readonly EntityNode[] {
  const tables = new Map(tablesOf(entities).map((table) => [table.id, movedColumns(table)]));
  return entities.map((entity) => {
    const moved = tables.get(entity.hierarchy.root ?? '');
    return moved === undefined || moved.size === 0
      ? entity
      : { ...entity, fields: entity.fields.map((node) => (moved.has(node.column) ? movedField(node) : node)) };
  });
}

function movedColumns(table: EntityNode): ReadonlySet<string> {
  const placed = placeColumns(table.fields, table);
  return new Set(table.fields.flatMap(({ column }, index) => (placed[index]?.field.more ? [column] : [])));
}

function movedField(node: FieldNode): FieldNode {
  return { ...node, column: moreColumn, field: { ...node.field, column: moreColumn, more: true } };
}

/** One node per table: the root of its types, with the properties of all of them. */
export function tablesOf(entities: readonly EntityNode[]): readonly EntityNode[] {
  const tables = grouped(entities, ({ hierarchy }) => hierarchy.root ?? '');
  const roots = entities.filter(({ hierarchy, id }) => hierarchy.root === id);
  return roots.map((root) => tableOf(root, tables.get(root.id) ?? []));
}

function tableOf(root: EntityNode, sharing: readonly EntityNode[]): EntityNode {
  const derived = sharing.filter((entity) => entity !== root);
  const added = derived.flatMap(({ fields }) => fields.filter(({ inherited }) => !inherited));
  return {
    ...root,
    fields: [...root.fields, ...optionalFields(added)],
    streams: [...root.streams, ...derived.flatMap(({ streams }) => streams.filter(({ inherited }) => !inherited))],
    navigation: [
      ...root.navigation,
      ...derived.flatMap(({ navigation }) => navigation.filter(({ inherited }) => !inherited).map(optionalNavigation)),
    ],
    open: sharing.some(({ open }) => open),
    indexes: sharing.flatMap(({ indexes }) => indexes),
    rules: { ...root.rules, onUpdate: Object.assign({}, ...sharing.map(({ rules }) => rules.onUpdate)) as EntityNode['rules']['onUpdate'] },
  };
}

// Records of other types have no value there; a collection is empty instead. Names of properties may be the same, those of columns are not.
function optionalFields(added: readonly FieldNode[]): readonly FieldNode[] {
  const seen = new Set<string>();
  return added.map((node) => {
    const name = seen.has(node.name) && !node.field.more ? node.column : node.name;
    seen.add(node.name);
    return { ...node, name, field: { ...node.field, ...(!node.field.collection && { nullable: true }) } };
  });
}

function optionalNavigation(node: NavigationNode): NavigationNode {
  const { relation } = node;
  if (relation?.internal === undefined) return node;
  return {
    ...node,
    relation: { ...relation, internal: { ...relation.internal, nullable: true } },
  };
}

/** The shared column of properties that do not fit into a row. */
const moreColumn = '#more';

/** The space of a row in a page, of 8 160 bytes in PostgreSQL. */
const rowBytes = 7_500;

/** The columns of a table, with space for dropped ones; PostgreSQL's limit is 1 600. */
const rowColumns = 1_400;

/** Values up to this size stay in the row, a longer one leaves a pointer of 18 bytes. */
const inlineBytes = 24;

/** The properties, with those marked that do not fit into a row at their maximum lengths. */
function placeColumns(
  fields: readonly FieldNode[],
  entity: Pick<EntityNode, 'key' | 'keyColumns' | 'streams' | 'navigation' | 'parents' | 'indexes' | 'rules'>,
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
    if (bytes + width > rowBytes || columns + 1 > rowColumns) return movedField(node);
    bytes += width;
    columns += 1;
    return node;
  });
}

// Properties of constraints, indexes and stamps must be columns.
function pinnedColumns(
  fields: readonly FieldNode[],
  { key, keyColumns, navigation, indexes, rules }: Pick<EntityNode, 'key' | 'keyColumns' | 'navigation' | 'indexes' | 'rules'>,
): ReadonlySet<string> {
  const paths = [...keyColumns.values(), ...navigation.flatMap(({ pathColumns }) => pathColumns)].map(({ path }) => path);
  const within = [...paths, ...navigation.map(({ name }) => name)]
    .filter((path) => path.includes('/'))
    .map((path) => path.slice(0, path.indexOf('/')));
  const named = new Set([...key, ...within, ...indexes.flatMap(({ names }) => names), ...Object.keys(rules.onUpdate)]);
  const joined = new Set([
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
