import { fieldOf, primitives, propertyOf, type EntityType } from '../edm/index.js';
import { typeNames } from '../plan/check/type-cast.js';
import { conditionOf, type RecordTarget } from '../plan/path-target.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import { columnReference, identifier, StatementBuilder } from './builder.js';
import { compileCondition, compileValue } from './compile-expr.js';
import { compilePlace } from './compile-place.js';
import type { Statement } from './statement.js';

/** What of a path decides which records it leads to. */
export type Place = Pick<RecordTarget, 'type' | 'alias' | 'parents' | 'key' | 'types' | 'filter'>;

/** The same, of which nothing but the table is known. */
export interface TablePlace extends Pick<RecordTarget, 'alias' | 'parents' | 'key' | 'filter'> {
  readonly table: string;
}

/** The table that a path leads to, and its conditions. */
export function tablePlace(place: Place): TablePlace {
  const {
    type: { table },
    alias,
    key,
    parents,
  } = place;
  const filter = conditionOf(place);
  return { table, alias, key, parents, ...(filter && { filter }) };
}

/** The record directly above the target in its path. */
export function parentPlace({ parents: [parent, ...parents] }: Place): TablePlace {
  if (parent === undefined) throw new Error('A target without parents has none to read.');
  const { alias, table, key, filter } = parent;
  return { alias, table, key, parents, ...(filter && { filter }) };
}

/** The numbers of the records that a path leads to, at most so many. */
export function compileNumbers(place: TablePlace, most: number): Statement {
  const builder = new StatementBuilder();
  const text = `select ${columnReference(place.alias, '#id')} from ${compileWhereOf(place, builder)}`;
  return builder.statement(`${text} order by 1 limit ${builder.bind(String(most), 'bigint')}`);
}

/** Those of some numbers that records in sight have. */
export function compileSeenNumbers({ table }: EntityType, numbers: readonly string[]): Statement {
  const builder = new StatementBuilder();
  return builder.statement(`select "#id" from ${identifier(table)} where "#id" = any(${builder.bind(numbers, 'bigint[]')})`);
}

/** Columns of the record that a path leads to. */
export function compileCells(place: TablePlace, columns: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const cells = columns.map((column) => `${columnReference(place.alias, column)}::text`);
  return builder.statement(`select ${cells.join(', ')} from ${compileWhereOf(place, builder)} limit 1`);
}

/**
 * How a record is kept until the transaction ends: that it is neither removed nor gets another key, beside which others
 * may change the rest of it, or that nobody changes it at all.
 */
export type Kept = 'key share' | 'share';

/** Columns of the record that a path leads to, which is kept until the transaction ends. */
export function compileShared(place: TablePlace, columns: readonly string[], kept: Kept): Statement {
  const builder = new StatementBuilder();
  const cells = columns.map((column) => `${columnReference(place.alias, column)}::text`);
  return {
    ...builder.statement(`select ${cells.join(', ')} from ${compileWhereOf(place, builder)} for ${kept} of ${place.alias}`),
    whole: true,
  };
}

/** Whether records are looked for in one statement: of one table, and told apart by the values of the same columns alone. */
export function askedAlike(place: TablePlace): string | undefined {
  const { table, alias, key, parents, filter } = place;
  return parents.length > 0 || key.length === 0
    ? undefined
    : JSON.stringify([table, alias, key.map(({ column, sqlType }) => [column, sqlType]), filter]);
}

/** The numbers of the records at several such places, each behind that of the place among them. */
export function compileAllNumbers(places: readonly TablePlace[]): Statement {
  const builder = new StatementBuilder();
  return builder.statement(compileAsked(places, ['#id'], builder));
}

/** Columns of the records at several such places, likewise; all of them are kept until the transaction ends. */
export function compileAllShared(places: readonly TablePlace[], columns: readonly string[], kept: Kept): Statement {
  const builder = new StatementBuilder();
  const [{ alias } = { alias: '' }] = places;
  // In the order of their numbers, so that two requests do not wait for each other.
  return {
    ...builder.statement(`${compileAsked(places, columns, builder)} order by ${columnReference(alias, '#id')} for ${kept} of ${alias}`),
    whole: true,
  };
}

function compileAsked(places: readonly TablePlace[], columns: readonly string[], builder: StatementBuilder): string {
  const [first] = places;
  if (first === undefined) throw new Error('There is no place to look for.');
  const { table, alias, key, filter } = first;
  const values = key.map(({ sqlType }, index) =>
    builder.bind(
      places.map((place) => place.key[index]?.value ?? null),
      `${sqlType}[]`,
    ),
  );
  const conditions = [
    ...key.map(({ column }, index) => `${columnReference(alias, column)} = asked.k${index}`),
    ...(filter ? [compileCondition(filter, builder)] : []),
  ];
  const cells = ['asked.place::text', ...columns.map((column) => `${columnReference(alias, column)}::text`)];
  return `select ${cells.join(', ')} from unnest(${values.join(', ')}) with ordinality as asked(${key.map((_, index) => `k${index}, `).join('')}place) join ${identifier(table)} ${alias} on ${conditions.join(' and ')}`;
}

/** Columns of the record that a path leads to, as text. */
export function compileShown(place: TablePlace, columns: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const cells = columns.map((column) => `${columnReference(place.alias, column)}::text`);
  return builder.statement(`select ${cells.join(', ')} from ${compileWhereOf(place, builder)} limit 1`);
}

/** Values of the record that a path leads to, as text. */
export function compileValuesOf(place: TablePlace, values: readonly TypedExpr[]): Statement {
  const builder = new StatementBuilder();
  const cells = values.map((value) => `(${compileValue(value, builder)})::text`);
  return builder.statement(`select ${cells.join(', ')} from ${compileWhereOf(place, builder)} limit 1`);
}

/** Columns of a record, which stays as it is as long as the transaction does. */
export function compileKept({ table }: EntityType, number: string, columns: readonly string[]): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(
    `select ${columns.map((column) => identifier(column)).join(', ')} from ${identifier(table)} where "#id" = ${builder.bind(number, 'bigint')} for share`,
  );
}

/** The number of the record with a key, given by columns; the record stays as long as the transaction does. */
export function compileNumberOf(type: EntityType, key: readonly (readonly [column: string, value: string])[]): Statement {
  const builder = new StatementBuilder();
  const conditions = key.map(([column, value]) => {
    const field = fieldOf(type, propertyOf(type, column));
    return `${identifier(column)} = ${builder.bind(value, primitives[field?.type ?? 'Edm.String'].sql)}`;
  });
  return builder.wholeStatement(`select "#id" from ${identifier(type.table)} where ${conditions.join(' and ')} for key share`);
}

/** The numbers of the records that have a number in a column. */
export function compileNumbersBy({ table }: EntityType, column: string, number: string): Statement {
  const builder = new StatementBuilder();
  return builder.statement(`select "#id" from ${identifier(table)} where ${identifier(column)} = ${builder.bind(number, 'bigint')}`);
}

/** Values of key columns, each with its type in SQL. */
export type TypedKey = readonly { readonly column: string; readonly value: string; readonly sqlType: string }[];

/** The number of the record with a key, if it is there; of what is no key, those of two at most. */
export function compileKeyOf(type: EntityType, key: TypedKey): Statement {
  const builder = new StatementBuilder();
  const typed = type.discriminated ? [`"#type" = any(${builder.bind(typeNames(type), 'text[]')})`] : [];
  const conditions = [...typed, ...key.map(({ column, value, sqlType }) => `${identifier(column)} = ${builder.bind(value, sqlType)}`)];
  return builder.statement(`select "#id" from ${identifier(type.table)} where ${conditions.join(' and ')} limit 2`);
}

function compileWhereOf({ table, alias, key, parents, filter }: TablePlace, builder: StatementBuilder): string {
  const conditions = [...compilePlace({ key, parents }, alias, builder), ...(filter ? [compileCondition(filter, builder)] : [])];
  return `${identifier(table)} ${alias} where ${conditions.join(' and ') || 'true'}`;
}
