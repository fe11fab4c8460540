import type { BuiltType, BuiltTypes } from './build-type.js';
import type { EntityNode, FieldNode, HierarchyNode, NavigationNode } from './model-graph.js';
import type { Place } from './places.js';
import { moreColumn, placeColumns } from './place-columns.js';

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
  const tables = new Map<string, EntityNode[]>();
  for (const entity of entities) {
    const { root } = entity.hierarchy;
    const sharing = tables.get(root ?? '') ?? [];
    if (root !== undefined) tables.set(root, sharing);
    sharing.push(entity);
  }
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
    valueJoins: {
      paths: sharing.flatMap(({ valueJoins }) => valueJoins.paths),
      columns: sharing.flatMap(({ valueJoins }) => valueJoins.columns),
    },
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
