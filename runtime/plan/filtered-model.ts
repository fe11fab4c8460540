import type { EntityContainer, EntityType, Permission, Permissions } from '../edm/index.js';
import { containersOf, withContained, type ContainerTable } from './containers.js';

/** A model's row filters; in `whole` the types have unfiltered tables and no other restrictions. */
export interface FilteredModel {
  /** Filtered types and those that they contain; parents come first. */
  readonly types: readonly EntityType[];
  readonly unfiltered: EntityContainer;
  readonly containers: ContainerTable;
}

const models = new WeakMap<EntityContainer, FilteredModel>();

/** The row filters of a model, planned once. */
export function filteredModel(container: EntityContainer): FilteredModel {
  const known = models.get(container) ?? planModel(container);
  models.set(container, known);
  return known;
}

function planModel(container: EntityContainer): FilteredModel {
  const filtered = Object.values(container.entityTypes)
    .filter(hasRules)
    .toSorted((a, b) => (a.baseTypes?.length ?? 0) - (b.baseTypes?.length ?? 0));
  // Types that share a table are in one set, whose permissions they share.
  const distinct = filtered.filter(({ table }, index) => filtered.findIndex((other) => other.table === table) === index);
  const containers = containersOf(container);
  const types = withContained(distinct, container, containers);
  const all = Object.entries(container.entityTypes).map(
    ([name, type]) => [name, { ...type, table: unfilteredTable(type.table, { types }), permissions: everybody, conditions: {} }] as const,
  );
  return { types, containers, unfiltered: { ...container, entityTypes: Object.fromEntries(all) } };
}

function hasRules({ permissions, conditions }: EntityType): boolean {
  return conditions !== undefined || listsOf(permissions).some(([, list]) => list.some(({ rows }) => rows !== undefined));
}

/** The permissions of each operation. */
export function listsOf(permissions: Permissions): readonly (readonly [operation: keyof Permissions, list: readonly Permission[]])[] {
  return (['read', 'readByKey', 'insert', 'update', 'delete'] as const).map((operation) => [operation, permissions[operation] ?? []]);
}

const everybody: Permissions = { read: undefined, insert: undefined, update: undefined, delete: undefined };

/** The unfiltered alias of a table. No table of a model has a name that begins so. */
export function unfilteredTable(table: string, { types }: Pick<FilteredModel, 'types'>): string {
  const place = types.findIndex((type) => type.table === table);
  return place < 0 ? table : `#${place}`;
}
