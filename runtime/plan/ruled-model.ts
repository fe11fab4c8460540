import type { EntityContainer, EntityType, Permission, Permissions } from '../edm/index.js';
import { containersOf, withContained, type ContainerTable } from './containers.js';

/** A model's rules; in `whole` its types have other tables, so that a rule sees whole ones, and no other restrictions. */
export interface RuledModel {
  /** Types that rules are about, and those that such records contain; what contains others comes before them. */
  readonly types: readonly EntityType[];
  readonly whole: EntityContainer;
  readonly containers: ContainerTable;
}

const models = new WeakMap<EntityContainer, RuledModel>();

/** The rules of a model, planned once. */
export function ruledModel(container: EntityContainer): RuledModel {
  const known = models.get(container) ?? planModel(container);
  models.set(container, known);
  return known;
}

function planModel(container: EntityContainer): RuledModel {
  const ruled = Object.values(container.entityTypes)
    .filter(hasRules)
    .toSorted((a, b) => (a.baseTypes?.length ?? 0) - (b.baseTypes?.length ?? 0));
  // Types that share a table are in one set, whose rules are those of all of them.
  const distinct = ruled.filter(({ table }, index) => ruled.findIndex((other) => other.table === table) === index);
  const containers = containersOf(container);
  const types = withContained(distinct, container, containers);
  const all = Object.entries(container.entityTypes).map(
    ([name, type]) => [name, { ...type, table: wholeTable(type.table, { types }), permissions: everybody, conditions: {} }] as const,
  );
  return { types, containers, whole: { ...container, entityTypes: Object.fromEntries(all) } };
}

function hasRules({ permissions, conditions }: EntityType): boolean {
  return conditions !== undefined || listsOf(permissions).some(([, list]) => list.some(({ rows }) => rows !== undefined));
}

/** What each operation is permitted to. */
export function listsOf(permissions: Permissions): readonly (readonly [operation: keyof Permissions, list: readonly Permission[]])[] {
  return (['read', 'readByKey', 'insert', 'update', 'delete'] as const).map((operation) => [operation, permissions[operation] ?? []]);
}

const everybody: Permissions = { read: undefined, insert: undefined, update: undefined, delete: undefined };

/** What rules call a table. No table of a model has a name that begins so. */
export function wholeTable(table: string, { types }: Pick<RuledModel, 'types'>): string {
  const place = types.findIndex((type) => type.table === table);
  return place < 0 ? table : `#${place}`;
}
