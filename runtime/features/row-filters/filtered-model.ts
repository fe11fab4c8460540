import { type Container, hasRules } from '../../plan/row-filter.js';
import { type EntityContainer, type EntityType, own } from '../../edm/index.js';
import { everybody } from '../../plan/caller.js';
import { memoized } from '../../edm/memoized.js';

/** A model's row filters; in `whole` the types have unfiltered tables and no other restrictions. */
export interface FilteredModel {
  /** Filtered types and those that they contain; parents come first. */
  readonly types: readonly EntityType[];
  readonly unfiltered: EntityContainer;
  readonly containers: ContainerTable;
}

/** The row filters of a model, planned once. */
export const filteredModel = memoized(planModel);

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

/** The unfiltered alias of a table. No table of a model has a name that begins so. */
export function unfilteredTable(table: string, { types }: Pick<FilteredModel, 'types'>): string {
  const place = types.findIndex((type) => type.table === table);
  return place < 0 ? table : `#${place}`;
}

/** The parents of a table's rows, by table. */
type ContainerTable = ReadonlyMap<string, readonly Container[]>;

/**
 * The possible parents of rows that navigation reaches without their parents, and those parents' parents. Rows that are
 * only reached through their parent are as visible as that.
 */
function containersOf(container: EntityContainer): ContainerTable {
  const all = allContainers(container);
  const reached = new Set<string>();
  const add = (table: string): void => {
    if (reached.has(table)) return;
    reached.add(table);
    for (const outer of all.get(table) ?? []) add(outer.table);
  };
  for (const table of reachedOtherwise(container)) add(table);
  return new Map([...all].filter(([table]) => reached.has(table)));
}

function allContainers({ entityTypes }: EntityContainer): ContainerTable {
  const found = new Map<string, Map<string, string>>();
  for (const { table, navigation } of Object.values(entityTypes)) {
    for (const { contains, target, join } of Object.values(navigation)) {
      const column = contains && join['#id'];
      const inner = column === undefined ? undefined : own(entityTypes, target)?.table;
      if (inner !== undefined && column !== undefined) found.set(inner, (found.get(inner) ?? new Map<string, string>()).set(table, column));
    }
  }
  return new Map(
    [...found].map(([inner, tables]) => [inner, [...tables].map(([table, column]) => ({ table, column, optional: tables.size > 1 }))]),
  );
}

function reachedOtherwise({ entityTypes }: EntityContainer): ReadonlySet<string> {
  const navigations = Object.values(entityTypes).flatMap(({ navigation }) => Object.values(navigation));
  return new Set(
    navigations.flatMap(({ contains, container, target }) => (contains || container ? [] : [own(entityTypes, target)?.table ?? ''])),
  );
}

/** Filtered types and the types that they contain; parents come first. */
function withContained(types: readonly EntityType[], { entityTypes }: EntityContainer, containers: ContainerTable): readonly EntityType[] {
  const all = new Map(types.map((type) => [type.table, type]));
  for (let before = -1; before < all.size;) {
    before = all.size;
    for (const type of Object.values(entityTypes)) {
      if (!all.has(type.table) && (containers.get(type.table) ?? []).some(({ table }) => all.has(table))) all.set(type.table, type);
    }
  }
  return containersFirst(all, containers);
}

function containersFirst(all: ReadonlyMap<string, EntityType>, containers: ContainerTable): readonly EntityType[] {
  const ordered = new Map<string, EntityType>();
  const visited = new Set<string>();
  const place = (type: EntityType): void => {
    if (visited.has(type.table)) return;
    visited.add(type.table);
    for (const { table } of containers.get(type.table) ?? []) {
      const outer = all.get(table);
      if (outer) place(outer);
    }
    ordered.set(type.table, type);
  };
  for (const type of all.values()) place(type);
  return [...ordered.values()];
}

/** Types that contain themselves or each other, which have no order. */
export function circlesIn(types: readonly EntityType[], containers: ContainerTable): readonly EntityType[] {
  const order = types.map(({ table }) => table);
  return types.filter(({ table }, index) => (containers.get(table) ?? []).some((outer) => order.indexOf(outer.table) >= index));
}
