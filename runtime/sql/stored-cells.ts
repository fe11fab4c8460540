import type { EntityType, Field, StoredRecord, StoredValue } from '../edm/index.js';
import { columnOf, fieldOf, isArray, openColumn, primitives, streamColumnTypes } from '../edm/index.js';
import { literal, quote } from '../schema/identifier.js';
import type { StatementBuilder } from './builder.js';

/** The value of a column; for a shared column only the named properties. */
export interface Cell {
  readonly column: string;
  readonly sql: string;
  readonly more?: true;
}

/** A property with the parameter that carries its value. */
export interface BoundValue {
  readonly name: string;
  readonly sql: string;
}

/** Values of a record, each bound in the type of its column. */
export function boundValues(type: EntityType, values: StoredRecord, builder: StatementBuilder): readonly BoundValue[] {
  return [...values].map(([name, value]) => ({ name, sql: bindValue(type, name, value, builder) }));
}

/** New records of one type: the properties that they are given, and a row of their values each. */
export interface NewRecords {
  readonly type: EntityType;
  readonly names: readonly string[];
  readonly rows: readonly (readonly StoredValue[])[];
}

/** The values of new records, row by row. */
export function boundRows({ type, names, rows }: NewRecords, builder: StatementBuilder): readonly (readonly string[])[] {
  return rows.map((row) => row.map((value, index) => bindValue(type, names[index] ?? '', value, builder)));
}

/** Bound values by column. Properties of the shared column become one JSON object of texts, which are cast when read. */
export function placed(type: EntityType, values: readonly BoundValue[]): readonly Cell[] {
  const isMore = ({ name }: BoundValue): boolean => fieldOf(type, name)?.more === true;
  const plain = values.filter((value) => !isMore(value)).map(({ name, sql }) => ({ column: columnOf(type, name), sql }));
  const others = values.filter(isMore);
  const [first] = others;
  if (first === undefined) return plain;
  const names = `array[${others.map(({ name }) => literal(name)).join(', ')}]`;
  const sql = `jsonb_object(${names}, array[${others.map((other) => `${other.sql}::text`).join(', ')}])`;
  return [...plain, { column: columnOf(type, first.name), sql, more: true }];
}

/**
 * The internal cells of a new row with this `#id`: its version, and its type in a table that several types share. Versions
 * count up from the id, so that an ETag is of one record, also where its key has been used before.
 */
export function newRowCells({ discriminated, qualifiedName }: EntityType, id: string): readonly Cell[] {
  const type = discriminated ? [{ column: '#type', sql: `${literal(qualifiedName)}::text` }] : [];
  return [{ column: '#id', sql: id }, { column: '#version', sql: `${id} * ${versionsPerRow} + 1` }, ...type];
}

/** The columns of an insert. */
export function columnsOf(cells: readonly Cell[]): string {
  return cells.map(({ column }) => quote(column)).join(', ');
}

/** The values of an insert, in the order of its columns. */
export function valuesOf(cells: readonly Cell[]): string {
  return cells.map(({ sql }) => sql).join(', ');
}

/** The versions of a row before it reaches those of the next one. */
const versionsPerRow = 100_000_000;

/** The first version of a row. */
export function firstVersion(id: number): number {
  return id * versionsPerRow + 1;
}

/** The count of a version among those of its row, from 1. */
export function versionCount(version: string): bigint {
  return BigInt(version) % BigInt(versionsPerRow);
}

/** The parameter of a property's value, in the type of its column. */
export function bindValue(type: EntityType, name: string, value: StoredValue, builder: StatementBuilder): string {
  if (name.startsWith('#')) return builder.bind(value, internalType(type, name));
  const field = fieldOf(type, name);
  if (field === undefined) throw new Error(`${type.name} has no property ${name} to store.`);
  return builder.bind(value, storedType(field));
}

// An internal column references a row's `#id`, unless listed here.
function internalType({ streams = {} }: EntityType, name: string): string {
  if (name === openColumn) return 'jsonb';
  const types = Object.values(streams).flatMap((stream) => streamColumnTypes(stream).get(name) ?? []);
  return types[0] ?? 'bigint';
}

// The type of a property's column with its facets, so that 9.9 is stored and compared as 9.90 if the column has a scale.
function storedType(field: Field): string {
  const { sql } = primitives[field.type];
  return isArray(field) ? `${sql}[]` : `${sql}${facets(field)}`;
}

function facets({ type, precision, scale }: { readonly type: string; readonly precision?: number; readonly scale?: number }): string {
  if (type === 'Edm.Decimal') return precision === undefined || scale === undefined ? '' : `(${precision}, ${scale})`;
  return type === 'Edm.DateTimeOffset' && precision !== undefined ? `(${precision})` : '';
}
