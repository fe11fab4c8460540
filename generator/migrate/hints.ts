import { streamColumns } from '../../runtime/edm/index.js';
import { literal } from '../../runtime/schema/identifier.js';
import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import type { Annotatable } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import { notesReader } from '../diff/notes.js';
import { joinTableName } from '../graph/join-by-number.js';
import type { EntityNode, JoinSide, ModelGraph } from '../graph/model-graph.js';
import { distinctNames, qualifiedForm, storedKinds } from '../graph/distinct-names.js';
import { databaseName } from '../graph/names.js';
import type { Place } from '../graph/places.js';
import { buildScope } from '../graph/scope.js';

/** The schema with what migrations have to know beyond it: former names, from Rules.RenamedFrom, and what old rows have in a new column. */
export function withHints(schema: Schema, { csdl, entities, tables }: ModelGraph): Schema {
  const formerOf = formerNames(csdl);
  const roots = new Map(tables.map((table) => [table.table, table]));
  const sides = new Map(tables.flatMap(({ navigation }) => navigation.flatMap(({ joinTable }) => (joinTable === undefined ? [] : [[joinTable.name, joinTable.sides] as const]))));
  return {
    ...schema,
    tables: schema.tables.map((table) => {
      const [root, pairs] = [roots.get(table.name), sides.get(table.name)];
      if (pairs !== undefined) return { ...table, ...hintPairs(table, pairs, formerOf) };
      return root === undefined ? table : hintTable(table, root, entities.filter((entity) => entity.table === root.table), formerOf);
    }),
  };
}

/** What an element was called before, by its path: its own name alone; and what types are called here that have the same name in several schemas. */
type FormerOf = ((path: string) => string | undefined) & { readonly distinct: ReadonlyMap<string, string> };

function formerNames(csdl: ModelGraph['csdl']): FormerOf {
  const read = notesReader(csdl, buildScope(csdl));
  const elements = elementsByPath(csdl.schemas);
  const formerOf = (path: string): string | undefined => {
    const element = elements.get(path);
    return element === undefined ? undefined : read(path, element).text(terms.renamedFrom);
  };
  return Object.assign(formerOf, { distinct: distinctNames(csdl, storedKinds) });
}

function hintTable(table: Table, root: EntityNode, sharing: readonly EntityNode[], formerOf: FormerOf): Table {
  const columns = new Map(sharing.flatMap((entity) => hintsOf(entity, formerOf)));
  const withHint = (column: Column): Column => ({ ...column, ...columns.get(column.name), ...typesFrom(column, formerOf), ...(column.holds && { holds: column.holds.map(withHint) }) });
  return { ...table, ...renamed(formerTables(root, formerOf), table.name), columns: table.columns.map(withHint) };
}

function typesFrom({ types, valueTypes }: Column, formerOf: FormerOf): Pick<Column, 'typesFrom'> {
  const named = types ?? valueTypes;
  return named === undefined ? {} : { typesFrom: formerTypes(named, formerOf) };
}

function formerTypes(types: readonly string[], formerOf: FormerOf): NonNullable<Column['typesFrom']> {
  return Object.fromEntries(types.flatMap((type) => [[type, formerOf(type)]].filter((pair): pair is [string, string] => pair[1] !== undefined)));
}

type ColumnHint = readonly [column: string, Pick<Column, 'renamedFrom' | 'fill'>];

// What a type inherits is annotated where it is declared.
function hintsOf({ qualifiedName, hierarchy, fields, streams, navigation }: EntityNode, formerOf: FormerOf): readonly ColumnHint[] {
  const former = (name: string): string | undefined => [qualifiedName, ...hierarchy.bases].map((type) => formerOf(`${type}/${name}`)).find((one) => one !== undefined);
  return [
    ...fields.map(({ name, column, field }): ColumnHint => [field.more ? name : column, { ...before(former(name)), ...(field.default !== undefined && { fill: literal(field.default) }) }]),
    ...streams.flatMap(({ name, stream }) => streamHints(stream.column, former(name))),
    ...navigation.map(({ name, relation }): ColumnHint => {
      const was = former(name);
      return [relation?.internal?.column ?? '', before(was === undefined ? undefined : `#${was}`)];
    }),
  ];
}

function streamHints(column: string, former: string | undefined): readonly ColumnHint[] {
  if (former === undefined) return [];
  const [now, was] = [streamColumns({ column }), streamColumns({ column: `#${former}` })];
  return (Object.keys(now) as (keyof typeof now)[]).map((fact) => [now[fact], { renamedFrom: [was[fact]] }]);
}

function before(name: string | undefined): Pick<Column, 'renamedFrom'> {
  return name === undefined ? {} : { renamedFrom: [databaseName(name)] };
}

// The type, its place, or both may have had another name.
function formerTables({ qualifiedName, place, table }: EntityNode, formerOf: FormerOf): readonly string[] {
  const types = typeNames(qualifiedName, formerOf);
  const places = place === undefined ? [] : formerPlaces(place, formerOf);
  // Its own name was that of the table where Rules.Storage gives another one now; whose the records are of a type with several places is asked.
  return [...types.flatMap((type) => places.map((name) => `${type}@${name}`)), ...(table.includes('@') ? [] : types.toReversed())];
}

function formerPlaces({ name, member, containment }: Place, formerOf: FormerOf): readonly string[] {
  if (containment === undefined) return member === undefined ? [name] : namesOf(`/${member.name}`, formerOf);
  const { owner, property } = containment;
  return typeNames(owner, formerOf).flatMap((type) => namesOf(`${owner}/${property.name}`, formerOf).map((each) => `${type}.${each}`));
}

// A name that types of several schemas have may have been another one's; whose records those were is asked.
function typeNames(path: string, formerOf: FormerOf): readonly string[] {
  const names = namesOf(path, formerOf);
  return formerOf.distinct.has(path) ? [qualifiedForm(path), ...names.slice(1)] : [...names, qualifiedForm(path)];
}

// The name that an element has, and the one that it had.
function namesOf(path: string, formerOf: FormerOf): readonly string[] {
  const former = formerOf(path);
  return [path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf('/')) + 1), ...(former === undefined ? [] : [former])];
}

// Which side a table of pairs is named after may change with the names, and with a partner that one gets.
function hintPairs({ name }: Table, [own, other]: readonly JoinSide[], formerOf: FormerOf): Pick<Table, 'renamedFrom' | 'swappedFrom'> {
  const swapped = other === undefined ? [] : formerPairs(other, formerOf);
  return { ...(own === undefined ? {} : renamed(formerPairs(own, formerOf), name)), ...(swapped.length > 0 && { swappedFrom: swapped }) };
}

function formerPairs({ type, property, suffix }: JoinSide, formerOf: FormerOf): readonly string[] {
  return typeNames(type, formerOf).flatMap((name) => namesOf(`${type}/${property}`, formerOf).map((each) => joinTableName({ name, property: each, suffix })));
}

function renamed(names: readonly string[], own: string): Pick<Table, 'renamedFrom'> {
  const former = [...new Set(names.map((name) => databaseName(name)))].filter((name) => name !== own);
  return former.length === 0 ? {} : { renamedFrom: former };
}

function elementsByPath(schemas: ModelGraph['csdl']['schemas']): ReadonlyMap<string, Annotatable> {
  const found = new Map<string, Annotatable>();
  for (const { namespace, elements } of schemas) {
    for (const element of elements) {
      found.set(`${namespace}.${element.name}`, element);
      // There is one container; its members are found by their names alone.
      if (element.kind === 'EntityContainer') for (const member of element.members) found.set(`/${member.name}`, member);
      if (element.kind !== 'EntityType' && element.kind !== 'ComplexType') continue;
      for (const property of element.properties) found.set(`${namespace}.${element.name}/${property.name}`, property);
    }
  }
  return found;
}
