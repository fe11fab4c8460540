import type { Navigation } from '../../runtime/edm/navigation.js';
import type { EntityNode, ModelGraph } from '../graph/model-graph.js';
import { hasRecords } from './entity-kinds.js';
import type { Literal, LiteralObject } from './print-literal.js';
import { memoized } from '../../runtime/edm/memoized.js';
import { grouped } from '../../runtime/edm/grouped.js';

/** A navigation property between types that have tables. */
interface Relation {
  readonly from: EntityNode;
  readonly name: string;
  readonly navigation: Navigation;
  readonly target: EntityNode;
}

/** The rows of a type's table for what a change or a deletion of its entities does to others. */
export function reverseRows(entity: EntityNode, graph: ModelGraph): readonly (readonly [string, Literal | undefined])[] {
  const relations = relationsOf(graph);
  return [
    ['detaches', nonEmpty(detachesOf(entity, relations))],
    ['mirroredIn', nonEmpty(mirroredIn(entity, relations))],
    ['cascadesTo', nonEmpty((cascadesOf(relations).get(entity.table) ?? []).map(({ row }) => row))],
  ];
}

const relationsOf = memoized((graph: ModelGraph): readonly Relation[] => {
  const entities = graph.entities.filter(hasRecords);
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  return entities.flatMap((from) =>
    from.navigation.flatMap(({ name, navigation }) => {
      const target = byName.get(navigation.target);
      return target === undefined ? [] : [{ from, name, navigation, target }];
    }),
  );
});

const byOwner = memoized((relations: readonly Relation[]) => grouped(relations, ({ from }) => from.id));
const byTarget = memoized((relations: readonly Relation[]) => grouped(relations, ({ target }) => target.table));

// Types that share a table inherit the same navigation properties.
function detachesOf({ table }: EntityNode, relations: readonly Relation[]): readonly LiteralObject[] {
  return distinct(
    (byTarget(relations).get(table) ?? []).filter(({ navigation }) => navigation.setsNull),
    ({ from, navigation: { join } }) => [from.table, join],
  ).map(({ from, name }) => ({ type: from.name, navigation: name }));
}

// A parent's rows reference contained ones; other dependents reference the entity, with or without a partner.
function mirroredIn(entity: EntityNode, relations: readonly Relation[]): readonly LiteralObject[] {
  const contained = (byOwner(relations).get(entity.id) ?? []).map(({ target, navigation: { join, mirroredBy } }) => ({
    to: target,
    link: join['#id'],
    mirrors: backwards(mirroredBy ?? {}),
  }));
  const dependents = (byTarget(relations).get(entity.table) ?? []).map(({ from, navigation: { join, mirrors } }) => ({
    to: from,
    link: Object.keys(join)[0],
    mirrors: mirrors ?? {},
  }));
  const all = [...contained, ...dependents].flatMap(({ link, ...row }) =>
    link === undefined || Object.keys(row.mirrors).length === 0 ? [] : [{ ...row, link }],
  );
  return distinct(all, ({ to, link }) => [to.table, link]).map(({ to, link, mirrors }) => ({
    type: to.name,
    link,
    mirrors: { ...mirrors },
  }));
}

interface Cascade {
  readonly table: string;
  readonly to: string;
  readonly row: LiteralObject;
}

// Of foreign key cascades, only those that end in a deletion by the service.
const cascadesOf = memoized((relations: readonly Relation[]): ReadonlyMap<string, readonly Cascade[]> => {
  const all = distinct(relations.flatMap(cascadesBy), ({ table, to, row: { join, through } }) => [table, to, join, through]);
  const leading = new Set(all.flatMap(({ table, row }) => (row['deletes'] ? [table] : [])));
  // A set that grows is walked to its end.
  const targeting = grouped(all, ({ to }) => to);
  for (const table of leading) for (const cascade of targeting.get(table) ?? []) leading.add(cascade.table);
  return grouped(
    all.filter(({ row, to }) => row['deletes'] || leading.has(to)),
    ({ table }) => table,
  );
});

function cascadesBy({ from, navigation, target }: Relation): readonly Cascade[] {
  const { join, through, deletesTarget, contains, cascades: isDependent } = navigation;
  return [
    ...(deletesTarget || contains
      ? [
          {
            table: from.table,
            to: target.table,
            row: { type: target.name, join, ...(through && { through: { ...through } }), ...(deletesTarget && { deletes: true }) },
          },
        ]
      : []),
    ...(isDependent ? [{ table: target.table, to: from.table, row: { type: from.name, join: backwards(join) } }] : []),
  ];
}

function backwards(columns: { readonly [column: string]: string }): { readonly [column: string]: string } {
  return Object.fromEntries(Object.entries(columns).map(([own, other]) => [other, own]));
}

function distinct<Item>(items: readonly Item[], identity: (item: Item) => unknown): readonly Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(identity(item)), item])).values()];
}

function nonEmpty(rows: readonly LiteralObject[]): Literal | undefined {
  return rows.length === 0 ? undefined : rows;
}
