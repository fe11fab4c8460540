import { columnOf, fieldOf, isArray, own, primitives, type EntityType, type StoredRecord } from '../edm/index.js';
import type { KeyCondition } from '../plan/read-plan.js';
import { identifier, StatementBuilder } from './builder.js';
import type { Statement } from './statement.js';

type Value = string | null | readonly string[];

/** The next number of a table and the clock, in one go: seconds, because stamps are never finer than the wire. */
export function compileNextId(type: EntityType): Statement {
  const builder = new StatementBuilder();
  const table = builder.bind(identifier(type.table), 'text');
  return builder.reusableStatement(`select nextval(pg_get_serial_sequence(${table}, '#id')), ${clock}`);
}

const clock = `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** Locks one record and reads it whole: number, version, clock, then every column in the order of the model. */
export function compileLock(type: EntityType, key: readonly KeyCondition[]): Statement {
  const builder = new StatementBuilder();
  const columns = Object.keys(type.fields).map((name) => identifier(columnOf(type, name)));
  const where = key.map(({ column, sqlType, value }) => `${identifier(column)} = ${builder.bind(value, sqlType)}`);
  const text = `select "#id", "#version", ${[clock, ...columns].join(', ')} from ${identifier(type.table)}`;
  return builder.reusableStatement(`${text} where ${where.join(' and ')} for update`);
}

/** A new record under a number that was drawn before. */
export function compileInsert(type: EntityType, id: string | undefined, values: StoredRecord): Statement {
  const builder = new StatementBuilder();
  const entries = [...values];
  const columns = [...(id === undefined ? [] : ['#id']), ...entries.map(([name]) => columnOf(type, name))];
  const binds = [...(id === undefined ? [] : [builder.bind(id, 'bigint')]), ...entries.map(([name, value]) => bindValue(type, name, value, builder))];
  return builder.reusableStatement(`insert into ${identifier(type.table)} (${columns.map(identifier).join(', ')}) values (${binds.join(', ')}) returning "#id"`);
}

/** New records in their order, each under the next number of the table, and under a key made of it where the model says so. */
export function compileInsertNumbered(type: EntityType, records: readonly StoredRecord[]): Statement {
  const builder = new StatementBuilder();
  const names = [...new Set(records.flatMap((record) => [...record.keys()]))];
  const rows = records.map((record) => `(${names.map((name) => bindValue(type, name, record.get(name) ?? null, builder)).join(', ')})`);
  const sequence = `pg_get_serial_sequence(${builder.bind(identifier(type.table), 'text')}, '#id')`;
  const keys = generatedKeys(type, names);
  const columns = ['#id', ...keys.map(({ column }) => column), ...names.map((name) => columnOf(type, name))].map(identifier);
  const values = ['row.id', ...keys.map(({ sql }) => sql), ...names.map((_, index) => `row.c${index}`)];
  const given = `(values ${rows.join(', ')}) as given(${names.map((_, index) => `c${index}`).join(', ')})`;
  return builder.reusableStatement(
    `insert into ${identifier(type.table)} (${columns.join(', ')}) select ${values.join(', ')} from (select nextval(${sequence}) as id, given.* from ${given}) row`,
  );
}

function generatedKeys(type: EntityType, given: readonly string[]): readonly { readonly column: string; readonly sql: string }[] {
  const [name] = type.key;
  const field = name === undefined ? undefined : fieldOf(type, name);
  if (type.keyGeneration?.strategy !== 'sequence' || name === undefined || field === undefined || given.includes(name)) return [];
  const prefix = type.keyGeneration.prefix.replaceAll("'", "''");
  return [{ column: columnOf(type, name), sql: `('${prefix}' || row.id)::${primitives[field.type].sql}` }];
}

/** Sets values and raises the version. A clock stamp never goes backwards on a record. */
export function compileUpdate(type: EntityType, id: string, values: StoredRecord): Statement {
  const builder = new StatementBuilder();
  const sets = [...values].map(([name, value]) => compileSet(type, name, value, builder));
  const text = `update ${identifier(type.table)} set ${['"#version" = "#version" + 1', ...sets].join(', ')}`;
  return builder.reusableStatement(`${text} where "#id" = ${builder.bind(id, 'bigint')}`);
}

function compileSet(type: EntityType, name: string, value: Value, builder: StatementBuilder): string {
  const column = identifier(columnOf(type, name));
  const bound = bindValue(type, name, value, builder);
  return own(type.rules.onUpdate, name)?.kind === 'now' ? `${column} = greatest(${column}, ${bound})` : `${column} = ${bound}`;
}

/** The values as the columns would hold them, each after the stored one, so that 9.9 and 9.90 are seen to be equal. */
export function compileDiffers(type: EntityType, id: string, values: StoredRecord): Statement {
  const builder = new StatementBuilder();
  const pairs = [...values].map(([name, value]) => `${identifier(columnOf(type, name))}::text, ${bindValue(type, name, value, builder)}::text`);
  return builder.reusableStatement(`select ${pairs.join(', ')} from ${identifier(type.table)} where "#id" = ${builder.bind(id, 'bigint')}`);
}

/** Removes one record; what hangs on it goes with it by foreign key. */
export function compileDelete(type: EntityType, id: string): Statement {
  const builder = new StatementBuilder();
  return builder.reusableStatement(`delete from ${identifier(type.table)} where "#id" = ${builder.bind(id, 'bigint')}`);
}

/** Which of the values are keys of existing records. */
export function compileExisting(target: EntityType, values: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const [key] = target.key;
  if (key === undefined) throw new Error(`${target.name} has no key to refer to.`);
  const column = identifier(columnOf(target, key));
  const sqlType = fieldOf(target, key)?.type ?? 'Edm.String';
  return builder.reusableStatement(`select ${column} from ${identifier(target.table)} where ${column} = any(${builder.bind(values, `${primitives[sqlType].sql}[]`)})`);
}

/** Lets the repeated keys of dependent records follow a key that has changed. */
export function compileCopies(target: EntityType, link: string, id: string, copies: ReadonlyMap<string, string>): Statement {
  const builder = new StatementBuilder();
  const sets = ['"#version" = "#version" + 1', ...[...copies].map(([column, value]) => `${identifier(column)} = ${builder.bind(value, 'text')}`)];
  return builder.reusableStatement(`update ${identifier(target.table)} set ${sets.join(', ')} where ${identifier(link)} = ${builder.bind(id, 'bigint')}`);
}

function bindValue(type: EntityType, name: string, value: Value, builder: StatementBuilder): string {
  // An internal column holds the number of another record.
  if (name.startsWith('#')) return builder.bind(value, 'bigint');
  const field = fieldOf(type, name);
  if (field === undefined) throw new Error(`${type.name} has no property ${name} to store.`);
  const { sql } = primitives[field.type];
  return builder.bind(value, isArray(field) ? `${sql}[]` : `${sql}${facets(field)}`);
}

// The facets take part, so that 9.9 is stored and compared as 9.90 where the column says so.
function facets({ type, precision, scale }: { readonly type: string; readonly precision?: number; readonly scale?: number }): string {
  if (type === 'Edm.Decimal' && precision !== undefined) return `(${precision}, ${scale ?? 0})`;
  return type === 'Edm.DateTimeOffset' && precision !== undefined ? `(${precision})` : '';
}
