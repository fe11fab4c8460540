import { type Field, type PrimitiveTypeName, primitives } from '../../runtime/edm/index.js';
import { storedText } from '../../runtime/expression/enum-members.js';
import { suggestion } from '../../runtime/errors/suggest.js';
import { literal } from '../../runtime/schema/identifier.js';
import type { Column, Schema, Table, ValueMember } from '../../runtime/schema/schema.js';
import { checkValue } from '../graph/values/check-value.js';
import { complexFault } from './complex-fill.js';
import { homesOf, type Home } from './moves.js';
import { withStoredNames } from './stored-names.js';
import { renameOption, type Decisions, type Problem } from './step.js';
import { localName } from '../../runtime/edm/lookup.js';

/** Decisions in the names of the schemas, and invalid ones. */
interface ReadDecisions {
  readonly decisions: Decisions;
  readonly problems: readonly Problem[];
}

/** Reads decisions: names become those of the schemas, fill values are literals of their property. */
export function readDecisions(old: Schema, wanted: Schema, written: Decisions): ReadDecisions {
  const decisions = withStoredNames(old, wanted, written);
  const known = new Set([...namesIn(old), ...namesIn(wanted)]);
  const bare = (option: string, path: string, rest = ''): readonly Problem[] =>
    withoutType(option, path, rest, [...wanted.tables, ...old.tables]);
  const fills = [...decisions.fills].map(([path, value]) => readFill(wanted, path, value));
  const named = [
    ...[...decisions.renamed].flatMap(([path, name]) => {
      const option = renameOption(decisions, path);
      return [
        ...bare(option, path, `=${name}`),
        ...unknownName(known, option, path, path),
        ...unknownName(new Set(namesIn(wanted)), option, name, `${path}=${name}`),
      ];
    }),
    ...[...decisions.dropped].flatMap((path) => [...bare('--dropped', path), ...unknownName(known, '--dropped', path, path)]),
    ...[...decisions.fills.keys()].flatMap((path) => [...bare('--fill', path), ...unknownName(known, '--fill', path, path)]),
  ];
  return {
    decisions: { ...decisions, fills: new Map(fills.map(({ path, value }) => [path, value])) },
    problems: [...named, ...(named.length > 0 ? [] : fills.flatMap(({ problems }) => problems))],
  };
}

// Each segment of a path is checked separately, since those around it may be renamed.
function unknownName(known: ReadonlySet<string>, option: string, path: string, written: string): readonly Problem[] {
  const [table = '', ...names] = path.split('/');
  const unknown = path.split('/').find((part) => part !== '' && !known.has(part));
  if (unknown === undefined) return [];
  const hint = suggestion(unknown, [...known]) || ' Names are TYPE, TYPE/PROPERTY and TYPE/PROPERTY/VALUE; TYPE may have its namespace.';
  const message = `${option} ${written}: neither the model nor the migrations have ${unknown}.${hint}`;
  return [{ kind: 'unknown', table, column: names.join('/') || undefined, message }];
}

// The name of a property alone, which several types may have.
function withoutType(option: string, path: string, rest: string, tables: readonly Table[]): readonly Problem[] {
  const isOwner = tables.some((table) => table.name === path || homesOf(table).some(({ column }) => typesOf(column).includes(path)));
  const owners = new Set(tables.filter((table) => homesOf(table).some(({ column }) => column.name === path)).map(({ name }) => name));
  if (path.includes('/') || isOwner || owners.size === 0) return [];
  const paths = [...owners].slice(0, 3).map((name) => `${option} ${name}/${path}${rest}`);
  const message = `${option} ${path}: ${path} is a property, and its type is missing. Write ${paths.join(' or ')}.`;
  return [{ kind: 'unknown', table: path, message }];
}

function typesOf({ types = [], valueTypes = [] }: Column): readonly string[] {
  return [...types, ...valueTypes].flatMap((type) => [type, localName(type)]);
}

function* namesIn({ tables }: Schema): Iterable<string> {
  for (const table of tables) {
    yield table.name;
    if (table.type !== undefined) yield table.type;
    for (const { column } of homesOf(table)) {
      yield* column.name.split('/');
      yield* typesOf(column);
      for (const value of valuesOf(column)) yield* value.split('/');
      for (const member of column.within ?? []) yield* [member.path, ...valuesOf(member)].flatMap((path) => path.split('/'));
    }
  }
}

function valuesOf({ allowed = [], members = {} }: Pick<ValueMember, 'allowed' | 'members'>): readonly string[] {
  return [...allowed, ...Object.keys(members)];
}

interface ReadFill {
  readonly path: string;
  /** A literal of SQL. */
  readonly value: string;
  readonly problems: readonly Problem[];
}

function readFill({ tables }: Schema, path: string, value: string): ReadFill {
  const [table = '', ...names] = path.split('/');
  const name = names.join('/');
  const homes = tables.flatMap((one) => (one.name === table ? homesOf(one) : []));
  const field = homes.map(({ column }) => fieldAt(column, name)).find((one) => one !== undefined);
  const text = /^'(.*)'$/s.exec(value)?.[1]?.replaceAll("''", "'");
  if (text === undefined) return { path, value, problems: [] };
  const why = field === undefined ? complexFaultAt(homes, name, text) : checkValue(field, text);
  if (why === undefined) return { path, value: field === undefined ? value : literal(storedText(field, text)), problems: [] };
  const message = `--fill ${path}=${text}: '${text}' ${why}.${membersOf(field)}`;
  return { path, value, problems: [{ kind: 'fill', table, column: name, message }] };
}

function complexFaultAt(homes: readonly Home[], name: string, text: string): string | undefined {
  return homes
    .filter(({ column }) => name === column.name || name.startsWith(`${column.name}/`))
    .map(({ column }) => complexFault(column, name.slice(column.name.length + 1), text, (path, value) => memberFault(column, path, value)))
    .find((why) => why !== undefined);
}

function memberFault(column: Column, path: string, text: string): string | undefined {
  const field = memberField(column, path);
  return field && checkValue(field, text);
}

// Column names contain slashes, too.
function fieldAt(column: Column, name: string): Field | undefined {
  if (name === column.name) return fieldOf(column);
  return name.startsWith(`${column.name}/`) ? memberField(column, name.slice(column.name.length + 1)) : undefined;
}

function membersOf(field: Field | undefined): string {
  const enumeration = field?.enumeration;
  return enumeration === undefined ? '' : ` Its members are ${enumeration.members.map(([name]) => name).join(', ')}.`;
}

function memberField({ within = [] }: Column, path: string): Field | undefined {
  const member = within.find((one) => one.path === path);
  return member && (member.members ? enumField(member.members) : withRules(declaredField(member), member));
}

// Collections are JSON, which PostgreSQL checks.
function declaredField({ type, sql }: ValueMember): Field | undefined {
  const plain = sqlTypes.get(type);
  return plain === undefined ? undefined : fieldOfSql(sql ?? plain);
}

function fieldOf(column: Column): Field | undefined {
  const { type, members } = column;
  return members === undefined ? withRules(fieldOfSql(type), column) : type.endsWith('[]') ? undefined : enumField(members);
}

function withRules(field: Field | undefined, { allowed, limits }: Pick<Column, 'allowed' | 'limits'>): Field | undefined {
  return field && { ...field, ...limits, ...(allowed && { allowedValues: allowed }) };
}

function enumField(members: NonNullable<Column['members']>): Field {
  const type = 'Edm.Int64';
  return { type, enumeration: { qualifiedName: 'the enumeration', underlyingType: type, flags: true, members: Object.entries(members) } };
}

/** The SQL types of values with one literal form; a byte is read as a `smallint`. */
const sqlTypes: ReadonlyMap<string, string> = new Map(
  Object.entries(primitives).flatMap(([name, { sql, ordered }]) => (ordered && !name.endsWith('Byte') ? [[name, sql]] : [])),
);

function fieldOfSql(sql: string): Field | undefined {
  const [, base = '', first, second] = /^([a-z ]+?)(?:\((\d+)(?:, (\d+))?\))?$/.exec(sql) ?? [];
  if (base === 'text' || base === 'varchar') return { type: 'Edm.String', ...(first !== undefined && { maxLength: Number(first) }) };
  const [type] = [...sqlTypes].find(([, name]) => name === base) ?? [];
  if (type === undefined) return undefined;
  const scale = type === 'Edm.Decimal' && second !== undefined && { scale: Number(second) };
  return { type: type as PrimitiveTypeName, ...(first !== undefined && { precision: Number(first) }), ...scale };
}
