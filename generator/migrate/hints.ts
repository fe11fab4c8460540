import { streamColumns } from '../../runtime/edm/index.js';
import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column, Schema, Table, ValueMember } from '../../runtime/schema/schema.js';
import type { Annotatable } from '../csdl/csdl.js';
import { isStructured } from '../csdl/map-elements.js';
import { terms } from '../csdl/terms.js';
import { notesReader } from '../diff/notes.js';
import { joinTableName } from '../graph/relations/join-by-number.js';
import type { EntityNode, ModelGraph } from '../graph/model-graph.js';
import { distinctNames, qualifiedForm, storedKinds } from '../graph/names/distinct-names.js';
import { databaseName } from '../graph/names/names.js';
import { buildScope } from '../graph/names/scope.js';
import { formerPaths, type FormerPath } from './former-paths.js';
import type { JoinSide, Relation, Place } from '../graph/storage.js';
import { mapColumns } from '../map-columns.js';
import { lastName } from '../../runtime/edm/lookup.js';

/**
 * The schema with hints for migrations: former names, from Rules.RenamedFrom, and values for old rows in new columns.
 */
export function withHints(schema: Schema, { csdl, entities, tables, complexTypes }: ModelGraph): Schema {
  const formerOf = formerNames(csdl);
  const pathOf = formerPaths(entities, complexTypes, formerOf);
  const roots = new Map(tables.map((table) => [table.table, table]));
  const keys: KeyColumns = new Map(
    tables.map(({ table, key, fields, keyColumns }) => [
      table,
      key.map((name) => fields.find((field) => field.name === name)?.column ?? keyColumns.get(name)?.column ?? name),
    ]),
  );
  const sides = new Map(
    tables.flatMap(({ navigation }) =>
      navigation.flatMap(({ joinTable }) => (joinTable === undefined ? [] : [[joinTable.name, joinTable.sides] as const])),
    ),
  );
  return {
    ...schema,
    tables: schema.tables.map((table) => {
      const [root, pairs] = [roots.get(table.name), sides.get(table.name)];
      if (pairs !== undefined)
        return { ...table, ends: pairs.map(({ property }) => property), ...hintPairs(table, pairs, formerOf, pathOf) };
      return root === undefined
        ? table
        : hintTable(
            table,
            root,
            entities.filter((entity) => entity.table === root.table),
            formerOf,
            pathOf,
            keys,
          );
    }),
  };
}

/** The former name of an element, by its path; and the distinct names of types that several schemas declare. */
type FormerOf = ((path: string) => string | undefined) & { readonly distinct: ReadonlyMap<string, string> };

function formerNames(csdl: ModelGraph['csdl']): FormerOf {
  const read = notesReader(csdl, buildScope(csdl));
  const elements = elementsByPath(csdl.schemas);
  const formerOf = (path: string): string | undefined => {
    const element = elements.get(path);
    return element === undefined ? undefined : read(element, path).text(terms.renamedFrom);
  };
  return Object.assign(formerOf, { distinct: distinctNames(csdl, storedKinds) });
}

function hintTable(
  table: Table,
  root: EntityNode,
  sharing: readonly EntityNode[],
  formerOf: FormerOf,
  pathOf: FormerPath,
  keys: KeyColumns,
): Table {
  const owners = new Map(
    sharing.flatMap((entity) =>
      entity.fields
        .filter(({ field }) => field.complex !== undefined)
        .map(({ name, column, field }) => [field.more ? name : column, { entity, name }] as const),
    ),
  );
  const memberHints = ({ name, within }: Column): Pick<Column, 'within'> => {
    const owner = owners.get(name);
    return within === undefined || owner === undefined
      ? {}
      : {
          within: within.map((member) => ({
            ...member,
            ...memberHint(pathOf(owner.entity.qualifiedName, `${owner.name}/${member.path}`), member.path),
          })),
        };
  };
  const columns = new Map(sharing.flatMap((entity) => hintsOf(entity, pathOf, keys)));
  const typed = { ...table, type: root.qualifiedName, ...tableHints(table.name, root, formerOf, pathOf) };
  return mapColumns(typed, (column) => ({
    ...column,
    ...columns.get(column.name),
    ...typesFrom(column, formerOf),
    ...memberHints(column),
  }));
}

// Declared are the names that only an annotation gives.
function tableHints(name: string, root: EntityNode, formerOf: FormerOf, pathOf: FormerPath): Pick<Table, 'renamedFrom' | 'declaredFrom'> {
  const undeclared = Object.assign(() => undefined, { distinct: formerOf.distinct });
  const likely = new Set(formerTables(root, undeclared, () => undefined));
  const declared = formerTables(root, formerOf, pathOf).filter((former) => !likely.has(former));
  const { renamedFrom: declaredFrom } = renamed(declared, name);
  return { ...renamed(formerTables(root, formerOf, pathOf), name), ...(declaredFrom && { declaredFrom }) };
}

function typesFrom({ types, valueTypes }: Column, formerOf: FormerOf): Pick<Column, 'typesFrom'> {
  const named = types ?? valueTypes;
  return named === undefined ? {} : { typesFrom: formerTypes(named, formerOf) };
}

function formerTypes(types: readonly string[], formerOf: FormerOf): NonNullable<Column['typesFrom']> {
  return Object.fromEntries(
    types.flatMap((type) => [[type, formerOf(type)]].filter((pair): pair is [string, string] => pair[1] !== undefined)),
  );
}

// The segments of its path have former names themselves.
function memberHint(former: string | undefined, path: string): Pick<ValueMember, 'renamedFrom'> {
  const name = former === undefined ? lastName(path) : lastName(former);
  return name === lastName(path) ? {} : { renamedFrom: name };
}

type ColumnHint = readonly [column: string, Pick<Column, 'declaredFrom' | 'fill' | 'linkedBy'>];

function hintsOf(
  { table, qualifiedName, fields, streams, navigation, keyColumns }: EntityNode,
  pathOf: FormerPath,
  keys: KeyColumns,
): readonly ColumnHint[] {
  const former = (name: string): string | undefined => pathOf(qualifiedName, name);
  return [
    ...fields.map(({ name, column, field }): ColumnHint => [
      field.more ? name : column,
      { ...before(former(name)), ...(field.default !== undefined && { fill: literal(field.default) }) },
    ]),
    ...streams.flatMap(({ name, stream }) => streamHints(stream.column, former(name))),
    ...navigation.map(({ name, relation }): ColumnHint => {
      const was = former(name);
      return [
        relation?.internal?.column ?? '',
        { ...before(was === undefined ? undefined : `#${was}`), ...linkedBy(table, fields, relation, keys) },
      ];
    }),
    ...[...keyColumns.values(), ...navigation.flatMap((node) => node.pathColumns)].map(({ path, column }): ColumnHint => {
      const was = former(path);
      return [column, before(was === undefined ? undefined : `#${was}`)];
    }),
  ];
}

/** The columns of the key of each table. */
type KeyColumns = ReadonlyMap<string, readonly string[]>;

// The expression that fills the `#id` column of a relation that was a key before.
function linkedBy(table: string, fields: EntityNode['fields'], relation: Relation | undefined, keys: KeyColumns): Pick<Column, 'linkedBy'> {
  if (relation?.internal === undefined) return {};
  const { columns, principal, principalColumns } = relation;
  const key = keys.get(principal) ?? [];
  const hasKey = key.every((column) => principalColumns.includes(column));
  const shared = columns.flatMap((own, index) =>
    !hasKey || key.includes(principalColumns[index] ?? '') ? [[own, principalColumns[index] ?? ''] as const] : [],
  );
  const isKept = shared.length > 0 && shared.every(([own]) => fields.some(({ column, field }) => column === own && !field.more));
  const pairs = shared.map(([own, other]) => `there.${quote(other)} = ${quote(table)}.${quote(own)}`);
  return isKept
    ? { linkedBy: `(select min(there."#id") from ${quote(principal)} there where ${pairs.join(' and ')} having count(*) = 1)` }
    : {};
}

function streamHints(column: string, former: string | undefined): readonly ColumnHint[] {
  if (former === undefined) return [];
  const [now, was] = [streamColumns({ column }), streamColumns({ column: `#${former}` })];
  return (Object.keys(now) as (keyof typeof now)[]).map((fact) => [now[fact], { declaredFrom: [was[fact]] }]);
}

function before(name: string | undefined): Pick<Column, 'declaredFrom'> {
  return name === undefined ? {} : { declaredFrom: [databaseName(name)] };
}

// Former names by those of the type, its entity source, or both.
function formerTables({ qualifiedName, place, table }: EntityNode, formerOf: FormerOf, pathOf: FormerPath): readonly string[] {
  const types = typeNames(qualifiedName, formerOf);
  const places = place === undefined ? [] : formerPlaces(place, formerOf, pathOf);
  // Possible former names include that of Rules.Storage; which rows they have is asked where a type has several entity
  // sources.
  return [...types.flatMap((type) => places.map((name) => `${type}@${name}`)), ...(table.includes('@') ? [] : types.toReversed())];
}

function formerPlaces({ name, member, containment }: Place, formerOf: FormerOf, pathOf: FormerPath): readonly string[] {
  if (containment === undefined) return member === undefined ? [name] : namesOf(`/${member.name}`, formerOf);
  const { owner, property } = containment;
  const former = pathOf(owner, property.name);
  return typeNames(owner, formerOf).flatMap((type) =>
    [property.name, ...(former === undefined ? [] : [former])].map((each) => `${type}.${each}`),
  );
}

// A name that types of several schemas have may have been another type's; whose rows those were is asked.
function typeNames(path: string, formerOf: FormerOf): readonly string[] {
  const names = namesOf(path, formerOf);
  return formerOf.distinct.has(path) ? [qualifiedForm(path), ...names.slice(1)] : [...names, qualifiedForm(path)];
}

// The current and former names of an element.
function namesOf(path: string, formerOf: FormerOf): readonly string[] {
  const former = formerOf(path);
  return [path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf('/')) + 1), ...(former === undefined ? [] : [former])];
}

// The side that names a table of pairs may change with the names, and with a new partner.
function hintPairs(
  { name }: Table,
  [own, other]: readonly JoinSide[],
  formerOf: FormerOf,
  pathOf: FormerPath,
): Pick<Table, 'renamedFrom' | 'swappedFrom'> {
  const swapped = other === undefined ? [] : formerPairs(other, formerOf, pathOf);
  return {
    ...(own === undefined ? {} : renamed(formerPairs(own, formerOf, pathOf), name)),
    ...(swapped.length > 0 && { swappedFrom: swapped }),
  };
}

function formerPairs({ type, property, suffix }: JoinSide, formerOf: FormerOf, pathOf: FormerPath): readonly string[] {
  const former = pathOf(type, property);
  return typeNames(type, formerOf).flatMap((name) =>
    [property, ...(former === undefined ? [] : [former])].map((each) => joinTableName({ name, property: each, suffix })),
  );
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
      // There is one container; its members are found by name alone.
      if (element.kind === 'EntityContainer') for (const member of element.members) found.set(`/${member.name}`, member);
      if (!isStructured(element)) continue;
      for (const property of element.properties) found.set(`${namespace}.${element.name}/${property.name}`, property);
    }
  }
  return found;
}
