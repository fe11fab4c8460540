import { streamColumns } from '../../runtime/edm/index.js';
import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column, Schema, Table, ValueMember } from '../../runtime/schema/schema.js';
import type { Annotatable } from '../csdl/csdl.js';
import { isStructured } from '../csdl/map-elements.js';
import { terms } from '../csdl/terms.js';
import { notesReader } from '../diff/notes.js';
import { columnNamed } from '../graph/entities/column-named.js';
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
export function withHints(schema: Schema, graph: ModelGraph): Schema {
  const { tables, entities } = graph;
  const former = formerIn(graph);
  const roots = new Map(tables.map((table) => [table.table, table]));
  const joinTables = tables.flatMap(({ navigation }) => navigation.flatMap(({ joinTable }) => joinTable ?? []));
  const sides = new Map(joinTables.map((joinTable) => [joinTable.name, joinTable.sides]));
  const hinted = (table: Table): Table => {
    const [root, pairs] = [roots.get(table.name), sides.get(table.name)];
    if (pairs !== undefined) return { ...table, ...endsOf(pairs, former), ...hintPairs(table, pairs, former) };
    const sharing = entities.filter((entity) => entity.table === root?.table);
    return root === undefined ? table : hintTable(table, root, sharing, former);
  };
  return { ...schema, tables: schema.tables.map(hinted) };
}

/** The former names that the model gives, and the keys of its tables. */
interface Former {
  /** The former name of an element, by its path. */
  readonly nameOf: (path: string) => string | undefined;
  readonly pathOf: FormerPath;
  /** The distinct names of types that several schemas declare. */
  readonly distinct: ReadonlyMap<string, string>;
  /** The columns of the key of each table. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

function formerIn({ csdl, entities, tables, complexTypes }: ModelGraph): Former {
  const read = notesReader(csdl, buildScope(csdl));
  const elements = elementsByPath(csdl.schemas);
  const nameOf = (path: string): string | undefined => {
    const element = elements.get(path);
    return element === undefined ? undefined : read(element, path).text(terms.renamedFrom);
  };
  return {
    nameOf,
    pathOf: formerPaths(entities, complexTypes, nameOf),
    distinct: distinctNames(csdl, storedKinds),
    keys: new Map(tables.map((table) => [table.table, table.key.map((name) => columnNamed(table, name))])),
  };
}

function hintTable(table: Table, root: EntityNode, sharing: readonly EntityNode[], former: Former): Table {
  const owners = new Map(
    sharing.flatMap((entity) =>
      entity.fields
        .filter(({ field }) => field.complex !== undefined)
        .map(({ name, column, field }) => [field.more ? name : column, { type: entity.qualifiedName, name }] as const),
    ),
  );
  const memberHints = ({ name, within }: Column): Pick<Column, 'within'> => {
    const owner = owners.get(name);
    if (within === undefined || owner === undefined) return {};
    const hint = ({ path }: ValueMember): Pick<ValueMember, 'renamedFrom'> =>
      memberHint(former.pathOf(owner.type, `${owner.name}/${path}`), path);
    return { within: within.map((member) => ({ ...member, ...hint(member) })) };
  };
  const columns = new Map(sharing.flatMap((entity) => hintsOf(entity, former)));
  const typed = { ...table, type: root.qualifiedName, ...tableHints(table.name, root, former) };
  return mapColumns(typed, (column) => ({
    ...column,
    ...columns.get(column.name),
    ...typesFrom(column, former),
    ...memberHints(column),
  }));
}

// Declared are the names that only an annotation gives.
function tableHints(name: string, root: EntityNode, former: Former): Pick<Table, 'renamedFrom' | 'declaredFrom'> {
  const likely = new Set(formerTables(root, { ...former, nameOf: () => undefined, pathOf: () => undefined }));
  const all = formerTables(root, former);
  const { renamedFrom: declaredFrom } = renamed(
    all.filter((one) => !likely.has(one)),
    name,
  );
  return { ...renamed(all, name), ...(declaredFrom && { declaredFrom }) };
}

function typesFrom({ types, valueTypes }: Column, { nameOf }: Former): Pick<Column, 'typesFrom'> | undefined {
  const named = types ?? valueTypes;
  const pairs = (named ?? []).map((type) => [type, nameOf(type)] as const);
  return named && { typesFrom: Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined)) };
}

// The segments of its path have former names themselves.
function memberHint(former: string | undefined, path: string): Pick<ValueMember, 'renamedFrom'> {
  const name = former === undefined ? lastName(path) : lastName(former);
  return name === lastName(path) ? {} : { renamedFrom: name };
}

type ColumnHint = readonly [column: string, Pick<Column, 'declaredFrom' | 'fill' | 'linkedBy'>];

function hintsOf(entity: EntityNode, { pathOf, keys }: Former): readonly ColumnHint[] {
  const { qualifiedName, fields, streams, navigation, keyColumns } = entity;
  const former = (name: string): string | undefined => pathOf(qualifiedName, name);
  return [
    ...fields.map(({ name, column, field }): ColumnHint => [
      field.more ? name : column,
      { ...before(former(name)), ...(field.default !== undefined && { fill: literal(field.default) }) },
    ]),
    ...streams.flatMap(({ name, stream }) => streamHints(stream.column, former(name))),
    ...navigation.map(({ name, relation }): ColumnHint => [
      relation?.internal?.column ?? '',
      { ...before(former(name), '#'), ...linkedBy(entity, relation, keys) },
    ]),
    ...[...keyColumns.values(), ...navigation.flatMap((node) => node.pathColumns)].map(({ path, column }): ColumnHint => [
      column,
      before(former(path), '#'),
    ]),
  ];
}

// The expression that fills the `#id` column of a relation that was a key before.
function linkedBy({ table, fields }: EntityNode, relation: Relation | undefined, keys: Former['keys']): Pick<Column, 'linkedBy'> {
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

function before(name: string | undefined, mark = ''): Pick<Column, 'declaredFrom'> {
  return name === undefined ? {} : { declaredFrom: [databaseName(`${mark}${name}`)] };
}

// Former names by those of the type, its entity source, or both.
function formerTables({ qualifiedName, place, table }: EntityNode, former: Former): readonly string[] {
  const types = typeNames(qualifiedName, former);
  const places = place === undefined ? [] : formerPlaces(place, former);
  // Possible former names include that of Rules.Storage; which rows they have is asked where a type has several entity
  // sources.
  return [...types.flatMap((type) => places.map((name) => `${type}@${name}`)), ...(table.includes('@') ? [] : types.toReversed())];
}

function formerPlaces({ name, member, containment }: Place, former: Former): readonly string[] {
  if (containment === undefined) return member === undefined ? [name] : namesOf(`/${member.name}`, former);
  const { owner, property } = containment;
  const names = known(property.name, former.pathOf(owner, property.name));
  return typeNames(owner, former).flatMap((type) => names.map((each) => `${type}.${each}`));
}

// A name that types of several schemas have may have been another type's; whose rows those were is asked.
function typeNames(path: string, former: Former): readonly string[] {
  const names = namesOf(path, former);
  return former.distinct.has(path) ? [qualifiedForm(path), ...names.slice(1)] : [...names, qualifiedForm(path)];
}

// The current and former names of an element.
function namesOf(path: string, { nameOf }: Former): readonly string[] {
  return known(path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf('/')) + 1), nameOf(path));
}

function known(name: string, former: string | undefined): readonly string[] {
  return former === undefined ? [name] : [name, former];
}

function endsOf(pairs: readonly JoinSide[], former: Former): Pick<Table, 'ends' | 'endsFrom'> {
  return {
    ends: pairs.map(({ property }) => property),
    endsFrom: pairs.map(({ type, property }) => former.pathOf(type, property)),
  };
}

// The side that names a table of pairs may change with the names, and with a new partner.
function hintPairs({ name }: Table, [own, other]: readonly JoinSide[], former: Former): Pick<Table, 'renamedFrom' | 'swappedFrom'> {
  const swapped = other === undefined ? [] : formerPairs(other, former);
  return {
    ...(own === undefined ? {} : renamed(formerPairs(own, former), name)),
    ...(swapped.length > 0 && { swappedFrom: swapped }),
  };
}

function formerPairs({ type, property, suffix }: JoinSide, former: Former): readonly string[] {
  const names = known(property, former.pathOf(type, property));
  return typeNames(type, former).flatMap((name) => names.map((each) => joinTableName({ name, property: each, suffix })));
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
