import type { EntityType, StoredRecord } from '../edm/index.js';
import {
  columnOf,
  fieldOf,
  generatedKeyProperty,
  keyColumnOf,
  keyFieldOf,
  openColumn,
  primitives,
  propertyOf,
  streamColumnTypes,
} from '../edm/index.js';
import { typeNames } from '../plan/path/type-cast.js';
import { literal, quote } from '../schema/identifier.js';
import { keptStatement, type KeptStatements, StatementBuilder } from './builder.js';
import { followedColumns, withFollowers, withFollowing } from './followers.js';
import type { ChangeText, FollowedChange } from './row-change.js';
import type { Statement } from './statement.js';
import type { BoundValue, Cell, NewRecords } from './stored-cells.js';
import { bindValue, boundRows, boundValues, columnsOf, newRowCells, placed, valuesOf } from './stored-cells.js';

/** Draws the next `#id` of a table and reads the clock, in seconds, the precision of stamps. */
export function compileNextId(type: EntityType): Statement {
  const builder = new StatementBuilder();
  const table = builder.bind(quote(type.table), 'text');
  return builder.locklessStatement(`select nextval(pg_get_serial_sequence(${table}, '#id')), ${clock}`);
}

/** Draws several ids of a table, each with the clock in milliseconds of the epoch. */
export function compileNextNumbers(type: EntityType, count: number): Statement {
  const builder = new StatementBuilder();
  const [table, last] = [builder.bind(quote(type.table), 'text'), builder.bind(String(count), 'int')];
  return builder.locklessStatement(
    `select nextval(pg_get_serial_sequence(${table}, '#id')), ${milliseconds} from generate_series(1, ${last})`,
  );
}

/** The clock, in milliseconds of the epoch. */
export function compileClock(): Statement {
  return new StatementBuilder().locklessStatement(`select ${milliseconds}`);
}

const milliseconds = 'extract(epoch from clock_timestamp()) * 1000';

/** The database's clock in the form of stamps: seconds in UTC. */
export const clock = `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** Inserts an entity with a drawn `#id`. */
export function compileInsert(type: EntityType, id: string, values: StoredRecord): Statement {
  return keptStatement(inserts, { of: type, shape: [...values.keys()].join(' '), binds: [id, ...values.values()] }, () => {
    const builder = new StatementBuilder();
    const cells = [...newRowCells(type, builder.bind(id, 'bigint')), ...placed(type, boundValues(type, values, builder))];
    const text = `insert into ${quote(type.table)} as t0 (${columnsOf(cells)}) values (${valuesOf(cells)})`;
    return builder.unfilteredStatement(withFollowers({ kind: 'insert', type }, text, 't0'));
  });
}

const inserts: KeptStatements = new WeakMap();

/** Inserts entities in order, each with the next `#id`, and a key made from it where the model says so. */
export function compileInsertNumbered(records: NewRecords): Statement {
  const { type, names, rows } = records;
  return keptStatement(numberedInserts, { of: type, shape: [rows.length, ...names].join(' '), binds: rows.flat() }, () => {
    const builder = new StatementBuilder();
    return builder.unfilteredStatement(
      withFollowers({ kind: 'insert', type }, numberedInsert(type, names, boundRows(records, builder)), 't0'),
    );
  });
}

const numberedInserts: KeptStatements = new WeakMap();

/** The text of the insert, with bound values; `where` may add a condition. */
export function numberedInsert(type: EntityType, names: readonly string[], rows: readonly (readonly string[])[], where = ''): string {
  // A subquery, so that it is evaluated once per statement and not per row.
  const sequence = `(select pg_get_serial_sequence(${literal(quote(type.table))}, '#id'))`;
  const stored = names.map((name, index) => ({ name, sql: `row.c${index}` }));
  const cells = [...newRowCells(type, 'row.id'), ...generatedKeys(type, names), ...placed(type, stored)];
  const given = `(values ${rows.map((row) => `(${row.join(', ')})`).join(', ')}) as given(${names.map((_, index) => `c${index}`).join(', ')})`;
  return `insert into ${quote(type.table)} as t0 (${columnsOf(cells)}) select ${valuesOf(cells)} from (select nextval(${sequence}) as id, given.* from ${given}) row${where}`;
}

function generatedKeys(type: EntityType, given: readonly string[]): readonly Cell[] {
  const name = generatedKeyProperty(type);
  const field = name === undefined ? undefined : fieldOf(type, name);
  if (type.keyGeneration === undefined || name === undefined || field === undefined || given.includes(name)) return [];
  const { strategy, prefix } = type.keyGeneration;
  const made = strategy === 'sequence' ? 'row.id' : 'gen_random_uuid()';
  return [{ column: columnOf(type, name), sql: `(${literal(prefix)} || ${made})::${primitives[field.type].sql}` }];
}

/** Sets values, and raises the version if a representation includes one of them. Time stamps of the service never decrease. */
export function compileUpdate(type: EntityType, id: string, values: StoredRecord): Statement {
  return keptStatement(updates, { of: type, shape: [...values.keys()].join(' '), binds: [id, ...values.values()] }, () => {
    const builder = new StatementBuilder();
    const where = `"#id" = ${builder.bind(id, 'bigint')}`;
    const text = `update ${quote(type.table)} as t0 set ${compileSets(type, boundValues(type, values, builder))} where ${where}`;
    return builder.unfilteredStatement(withFollowers({ kind: 'update', type, names: [...values.keys()], where }, text, 't0'));
  });
}

const updates: KeptStatements = new WeakMap();

/** The assignments of an update, with bound values. */
export function compileSets(type: EntityType, values: readonly BoundValue[]): string {
  const { onUpdate, computed } = type.rules;
  const stamps = new Set(computed.filter((name) => onUpdate[name]?.kind === 'now').map((name) => columnOf(type, name)));
  const names = values.map(({ name }) => name);
  return [...raised(type, names), ...placed(type, values).map((cell) => compileSet(cell, stamps))].join(', ');
}

/**
 * The assignment of the version for changes of these columns. Hidden `#id` references are in no representation, so the
 * ETag stays (protocol 8.3.1); likewise for join tables.
 */
export function raised(type: EntityType, columns: readonly string[], alias?: string): readonly string[] {
  const version = alias === undefined ? '"#version"' : `${alias}."#version"`;
  return columns.some((name) => !name.startsWith('#') || isShown(type, name)) ? [`"#version" = ${version} + 1`] : [];
}

// Columns that are no properties are visible if they store dynamic properties or media streams.
function isShown({ streams = {} }: EntityType, name: string): boolean {
  return name === openColumn || Object.values(streams).some((stream) => streamColumnTypes(stream).has(name));
}

function compileSet({ column: name, sql, more }: Cell, stamps: ReadonlySet<string>): string {
  const column = quote(name);
  if (more) return `${column} = ${column} || ${sql}`;
  return stamps.has(name) ? `${column} = greatest(${column}, ${sql})` : `${column} = ${sql}`;
}

/** Compares values in the columns' form with the stored ones, so that 9.9 and 9.90 are equal. */
export function compileDiffers(type: EntityType, id: string, values: StoredRecord): Statement {
  const builder = new StatementBuilder();
  const pairs = [...values].map(([name, value]) => `${compileStored(type, name)}::text, ${bindValue(type, name, value, builder)}::text`);
  return builder.unfilteredStatement(`select ${pairs.join(', ')} from ${quote(type.table)} where "#id" = ${builder.bind(id, 'bigint')}`);
}

function compileStored(type: EntityType, name: string): string {
  const column = quote(columnOf(type, name));
  return fieldOf(type, name)?.more ? `(${column} ->> ${literal(name)})` : column;
}

/** Deletes entities in one statement, so that they may reference each other; foreign keys cascade to dependent rows. */
export function compileDelete(records: readonly { readonly type: EntityType; readonly id: string }[]): Statement {
  const builder = new StatementBuilder();
  const deletions = [...byTable(records)].map(([table, { type, ids }], index) => {
    const among = amongNumbers(ids, builder);
    const text = `delete from ${quote(table)} as t0 where "#id" ${among}`;
    const columns = followedColumns({ kind: 'delete', type }, 't0');
    const change: FollowedChange[] = columns === undefined ? [] : [{ kind: 'delete', type, among, from: `d${index}` }];
    return { change, table: `d${index} as (${text}${columns === undefined ? '' : ` returning ${columns.join(', ')}`})`, text };
  });
  const changes = deletions.flatMap(({ change }) => change);
  const [first, ...others] = deletions;
  // The first record goes first, and what the database deletes with it: those refer to the others.
  if (changes.length === 0) {
    const along = others.length === 0 ? '' : `with ${others.map(({ table }) => table).join(', ')} `;
    return builder.unfilteredStatement(`${along}${first?.text}`);
  }
  const tables = deletions.map(({ table }) => table);
  return builder.unfilteredStatement(`with ${withFollowing(tables, changes)} select`);
}

/** The numbers of rows by the table that they are in. */
export function byTable(
  records: readonly { readonly type: EntityType; readonly id: string }[],
): ReadonlyMap<string, { readonly type: EntityType; readonly ids: string[] }> {
  const tables = new Map<string, { readonly type: EntityType; readonly ids: string[] }>();
  for (const { type, id } of records) {
    const known = tables.get(type.table);
    if (known === undefined) tables.set(type.table, { type, ids: [id] });
    else known.ids.push(id);
  }
  return tables;
}

/** The comparison with numbers of rows. */
export function amongNumbers(ids: readonly string[], builder: StatementBuilder): string {
  const [id = '', ...others] = ids;
  return others.length === 0 ? `= ${builder.bind(id, 'bigint')}` : `= any(${builder.bind(ids, 'bigint[]')})`;
}

/** The number of values up to which a separate statement is used. */
const fewValues = 4;

/** Types whose text form in the database equals the service's; values of others are returned in both forms. */
const sameText: ReadonlySet<string> = new Set(['Edm.String', 'Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Date']);

/** The values that are keys of existing rows. */
export function compileExisting(target: EntityType, values: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const [key] = target.key;
  if (key === undefined) throw new Error(`${target.name} has no key to refer to.`);
  const column = quote(keyColumnOf(target, key));
  const field = keyFieldOf(target, key);
  const { sql } = primitives[field?.type ?? 'Edm.String'];
  const typed = target.discriminated ? ` and "#type" = any(${builder.bind(typeNames(target), 'text[]')})` : '';
  if (!sameText.has(field?.type ?? 'Edm.String')) {
    const keys =
      values.length <= fewValues
        ? `(values ${values.map((value) => `(${builder.bind(value, 'text')})`).join(', ')})`
        : `unnest(${builder.bind(values, 'text[]')})`;
    // No table has a name with # but those of the service.
    return builder.locklessStatement(
      `select key from ${keys} "#keys"(key) where exists (select from ${quote(target.table)} where ${column} = "#keys".key::${sql}${typed})`,
    );
  }
  // The database plans an array each time, since it assumes ten items where there are mostly one or two.
  const among =
    values.length <= fewValues
      ? `in (${values.map((value) => builder.bind(value, sql)).join(', ')})`
      : `= any(${builder.bind(values, `${sql}[]`)})`;
  return builder.locklessStatement(`select ${column} from ${quote(target.table)} where ${column} ${among}${typed}`);
}

/** The columns of dependent rows that mirror a changing key, and their foreign key column. */
export interface MirroredRows {
  readonly target: EntityType;
  readonly link: string;
  readonly values: ReadonlyMap<string, string | null>;
}

/** Updates mirrored keys of dependent rows after a change of the key. */
export function compileMirrored(rows: MirroredRows, id: string): Statement {
  const builder = new StatementBuilder();
  const { change, text } = mirroredUpdate(rows, builder.bind(id, 'bigint'), builder);
  return builder.unfilteredStatement(withFollowers(change, text, 't0'));
}

/** The update of mirrored keys, whose text ends with its condition; `id` is bound. */
export function mirroredUpdate({ target, link, values }: MirroredRows, id: string, builder: StatementBuilder): ChangeText {
  const names = [...values.keys()].map((column) => propertyOf(target, column));
  const sets = [...values].map(([column, value], index) => `${quote(column)} = ${bindValue(target, names[index] ?? '', value, builder)}`);
  const where = `${quote(link)} = ${id}`;
  const text = `update ${quote(target.table)} as t0 set ${['"#version" = "#version" + 1', ...sets].join(', ')} where ${where}`;
  return { change: { kind: 'update', type: target, names, where }, text };
}
