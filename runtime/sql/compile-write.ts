import { columnOf, fieldOf, isArray, keyColumnOf, keyFieldOf, openColumn, primitives, streamColumnTypes, type EntityType, type Field, type StoredRecord } from '../edm/index.js';
import type { KeyCondition } from '../plan/read-plan.js';
import { typeNames } from '../plan/check/type-cast.js';
import { identifier, StatementBuilder, textLiteral } from './builder.js';
import { keptStatement, type KeptStatements } from './kept-statement.js';
import type { Statement } from './statement.js';

type Value = string | null | readonly string[];

/** The next number of a table and the clock, in one go: seconds, because stamps are never finer than the wire. */
export function compileNextId(type: EntityType): Statement {
  const builder = new StatementBuilder();
  const table = builder.bind(identifier(type.table), 'text');
  return builder.locklessStatement(`select nextval(pg_get_serial_sequence(${table}, '#id')), ${clock}`);
}

const clock = `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** Locks one record and reads it whole: number, version, clock, then every column in the order of the model, then the column of the others. */
export function compileLock(type: EntityType, key: readonly KeyCondition[]): Statement {
  const shape = key.map(({ column, sqlType }) => `${column} ${sqlType}`).join(', ');
  return keptStatement(locks, { type, shape, binds: key.map(({ value }) => value) }, () => compileLockOf(type, key));
}

const locks: KeptStatements = new WeakMap();

function compileLockOf(type: EntityType, key: readonly KeyCondition[]): Statement {
  const builder = new StatementBuilder();
  const columns = new Set(Object.entries(type.fields).toSorted(([, a], [, b]) => Number(a.more ?? false) - Number(b.more ?? false)).map(([name]) => identifier(columnOf(type, name))));
  const where = key.map(({ column, sqlType, value }) => `${identifier(column)} = ${builder.bind(value, sqlType)}`);
  const open = type.open ? [identifier(openColumn)] : [];
  const text = `select "#id", "#version", ${[clock, ...columns, ...open].join(', ')} from ${identifier(type.table)}`;
  return builder.wholeStatement(`${text} where ${where.join(' and ')} for update`);
}

/** Locks one record of a table that several types share, and reads its type. */
export function compileLockType(type: EntityType, key: readonly KeyCondition[]): Statement {
  const builder = new StatementBuilder();
  const where = key.map(({ column, sqlType, value }) => `${identifier(column)} = ${builder.bind(value, sqlType)}`);
  return builder.wholeStatement(`select "#type" from ${identifier(type.table)} where ${where.join(' and ')} for update`);
}

/** A new record under a number that was drawn before. */
export function compileInsert(type: EntityType, id: string, values: StoredRecord): Statement {
  return keptStatement(inserts, { type, shape: [...values.keys()].join(' '), binds: [id, ...values.values()] }, () => compileInsertOf(type, id, values));
}

const inserts: KeptStatements = new WeakMap();

function compileInsertOf(type: EntityType, id: string, values: StoredRecord): Statement {
  const builder = new StatementBuilder();
  const number = { column: '#id', sql: builder.bind(id, 'bigint') };
  const cells = [number, ...storedCells(type, values, builder), ...typeCell(type, builder)];
  const columns = cells.map(({ column }) => identifier(column)).join(', ');
  return builder.wholeStatement(`insert into ${identifier(type.table)} (${columns}) values (${cells.map(({ sql }) => sql).join(', ')}) returning "#id"`);
}

/** New records in their order, each under the next number of the table, and under a key made of it where the model says so. */
export function compileInsertNumbered(type: EntityType, records: readonly StoredRecord[]): Statement {
  const names = [...new Set(records.flatMap((record) => [...record.keys()]))];
  const binds = records.flatMap((record) => names.map((name) => record.get(name) ?? null));
  return keptStatement(numberedInserts, { type, shape: [records.length, ...names].join(' '), binds }, () => compileInsertNumberedOf(type, names, records));
}

const numberedInserts: KeptStatements = new WeakMap();

function compileInsertNumberedOf(type: EntityType, names: readonly string[], records: readonly StoredRecord[]): Statement {
  const builder = new StatementBuilder();
  const rows = records.map((record) => `(${names.map((name) => bindValue(type, name, record.get(name) ?? null, builder)).join(', ')})`);
  const sequence = `pg_get_serial_sequence(${builder.bind(identifier(type.table), 'text')}, '#id')`;
  const keys = generatedKeys(type, names);
  const cells = placed(type, names.map((name, index) => ({ name, sql: `row.c${index}` })), builder);
  const typed = typeCell(type, builder);
  const columns = ['#id', ...typed.map(({ column }) => column), ...keys.map(({ column }) => column), ...cells.map(({ column }) => column)].map(identifier);
  const values = ['row.id', ...typed.map(({ sql }) => sql), ...keys.map(({ sql }) => sql), ...cells.map(({ sql }) => sql)];
  const given = `(values ${rows.join(', ')}) as given(${names.map((_, index) => `c${index}`).join(', ')})`;
  return builder.wholeStatement(
    `insert into ${identifier(type.table)} (${columns.join(', ')}) select ${values.join(', ')} from (select nextval(${sequence}) as id, given.* from ${given}) row`,
  );
}

// A table that several types share says of each record which one it is of.
function typeCell({ discriminated, qualifiedName }: EntityType, builder: StatementBuilder): readonly Cell[] {
  return discriminated ? [{ column: '#type', sql: builder.bind(qualifiedName, 'text') }] : [];
}

function generatedKeys(type: EntityType, given: readonly string[]): readonly { readonly column: string; readonly sql: string }[] {
  const [name] = type.key;
  const field = name === undefined ? undefined : fieldOf(type, name);
  if (type.keyGeneration?.strategy !== 'sequence' || name === undefined || field === undefined || given.includes(name)) return [];
  const prefix = type.keyGeneration.prefix.replaceAll("'", "''");
  return [{ column: columnOf(type, name), sql: `('${prefix}' || row.id)::${primitives[field.type].sql}` }];
}

/** Sets values, and raises the version where a representation shows one of them. A clock stamp never goes backwards on a record. */
export function compileUpdate(type: EntityType, id: string, values: StoredRecord): Statement {
  return keptStatement(updates, { type, shape: [...values.keys()].join(' '), binds: [id, ...values.values()] }, () => compileUpdateOf(type, id, values));
}

const updates: KeptStatements = new WeakMap();

function compileUpdateOf(type: EntityType, id: string, values: StoredRecord): Statement {
  const builder = new StatementBuilder();
  const where = `where "#id" = ${builder.bind(id, 'bigint')}`;
  const stamps = new Set(Object.entries(type.rules.onUpdate).flatMap(([name, { kind }]) => (kind === 'now' ? [columnOf(type, name)] : [])));
  const sets = storedCells(type, values, builder).map((cell) => compileSet(cell, stamps));
  const text = `update ${identifier(type.table)} set ${[...raised(type, [...values.keys()]), ...sets].join(', ')}`;
  return builder.wholeStatement(`${text} ${where}`);
}

/**
 * What changes the version with these columns. One that only holds the number of a related record is shown nowhere, so
 * that the record's ETag stays as its representation does (protocol 8.3.1); the same holds of relations in a table of their own.
 */
export function raised(type: EntityType, columns: readonly string[]): readonly string[] {
  return columns.some((name) => !name.startsWith('#') || isShown(type, name)) ? ['"#version" = "#version" + 1'] : [];
}

// Of what has no property's name, dynamic properties and media streams are told of.
function isShown({ streams = {} }: EntityType, name: string): boolean {
  return name === openColumn || Object.values(streams).some((stream) => streamColumnTypes(stream).has(name));
}

function compileSet({ column: name, sql, more }: Cell, stamps: ReadonlySet<string>): string {
  const column = identifier(name);
  if (more) return `${column} = ${column} || ${sql}`;
  return stamps.has(name) ? `${column} = greatest(${column}, ${sql})` : `${column} = ${sql}`;
}

/** What a column is given; of the properties that share one, only those that are named. */
interface Cell {
  readonly column: string;
  readonly sql: string;
  readonly more?: true;
}

function storedCells(type: EntityType, values: StoredRecord, builder: StatementBuilder): readonly Cell[] {
  return placed(type, [...values].map(([name, value]) => ({ name, sql: bindValue(type, name, value, builder) })), builder);
}

// What the row has no room for becomes one JSON object of texts, which are cast back when they are read.
function placed(type: EntityType, values: readonly { readonly name: string; readonly sql: string }[], builder: StatementBuilder): readonly Cell[] {
  const isMore = ({ name }: { readonly name: string }): boolean => fieldOf(type, name)?.more === true;
  const plain = values.filter((value) => !isMore(value)).map(({ name, sql }) => ({ column: columnOf(type, name), sql }));
  const others = values.filter(isMore);
  const [first] = others;
  if (first === undefined) return plain;
  const names = builder.bind(others.map(({ name }) => name), 'text[]');
  return [...plain, { column: columnOf(type, first.name), sql: `jsonb_object(${names}, array[${others.map(({ sql }) => `${sql}::text`).join(', ')}])`, more: true }];
}

/** The values as the columns would hold them, each after the stored one, so that 9.9 and 9.90 are seen to be equal. */
export function compileDiffers(type: EntityType, id: string, values: StoredRecord): Statement {
  const builder = new StatementBuilder();
  const pairs = [...values].map(([name, value]) => `${compileStored(type, name)}::text, ${bindValue(type, name, value, builder)}::text`);
  return builder.wholeStatement(`select ${pairs.join(', ')} from ${identifier(type.table)} where "#id" = ${builder.bind(id, 'bigint')}`);
}

function compileStored(type: EntityType, name: string): string {
  const column = identifier(columnOf(type, name));
  return fieldOf(type, name)?.more ? `(${column} ->> ${textLiteral(name)})` : column;
}

/** Removes one record; what hangs on it goes with it by foreign key. */
export function compileDelete(type: EntityType, id: string): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(`delete from ${identifier(type.table)} where "#id" = ${builder.bind(id, 'bigint')}`);
}

/** Which of the values are keys of existing records. */
export function compileExisting(target: EntityType, values: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const [key] = target.key;
  if (key === undefined) throw new Error(`${target.name} has no key to refer to.`);
  const column = identifier(keyColumnOf(target, key));
  const { sql } = primitives[keyFieldOf(target, key)?.type ?? 'Edm.String'];
  const [only, ...others] = values;
  // The database plans an array anew each time, since it guesses ten items where there is mostly one.
  const among = only !== undefined && others.length === 0 ? `= ${builder.bind(only, sql)}` : `= any(${builder.bind(values, `${sql}[]`)})`;
  const typed = target.discriminated ? ` and "#type" = any(${builder.bind(typeNames(target), 'text[]')})` : '';
  return builder.locklessStatement(`select ${column} from ${identifier(target.table)} where ${column} ${among}${typed}`);
}

/** Lets the repeated keys of dependent records follow a key that has changed. */
export function compileCopies(target: EntityType, link: string, id: string, copies: ReadonlyMap<string, string>): Statement {
  const builder = new StatementBuilder();
  const sets = ['"#version" = "#version" + 1', ...[...copies].map(([column, value]) => `${identifier(column)} = ${builder.bind(value, 'text')}`)];
  return builder.wholeStatement(`update ${identifier(target.table)} set ${sets.join(', ')} where ${identifier(link)} = ${builder.bind(id, 'bigint')}`);
}

function bindValue(type: EntityType, name: string, value: Value, builder: StatementBuilder): string {
  if (name.startsWith('#')) return builder.bind(value, internalType(type, name));
  const field = fieldOf(type, name);
  if (field === undefined) throw new Error(`${type.name} has no property ${name} to store.`);
  return builder.bind(value, storedType(field));
}

// An internal column holds the number of another record, unless it is said here.
function internalType({ streams = {} }: EntityType, name: string): string {
  if (name === openColumn) return 'jsonb';
  return Object.values(streams).map((stream) => streamColumnTypes(stream).get(name)).find((sqlType) => sqlType !== undefined) ?? 'bigint';
}

// The type of a property's column. The facets take part, so that 9.9 is stored and compared as 9.90 where the column says so.
function storedType(field: Field): string {
  const { sql } = primitives[field.type];
  return isArray(field) ? `${sql}[]` : `${sql}${facets(field)}`;
}

function facets({ type, precision, scale }: { readonly type: string; readonly precision?: number; readonly scale?: number }): string {
  if (type === 'Edm.Decimal') return precision === undefined || scale === undefined ? '' : `(${precision}, ${scale})`;
  return type === 'Edm.DateTimeOffset' && precision !== undefined ? `(${precision})` : '';
}
