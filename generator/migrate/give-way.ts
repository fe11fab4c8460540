import { quote } from '../../runtime/schema/identifier.js';
import { foreignKeysOf } from '../../runtime/schema/print-schema.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import { primaryKeyOf } from './primary-key.js';
import type { Decisions } from './step.js';

/**
 * Whether a table can make way for another one that takes its name, as happens where the first of two entity sources of
 * a type is removed: its entity source is gone, and no foreign key references it.
 */
export function canGiveWay({ name, place }: Table, old: Schema, wanted: Schema): boolean {
  const next = wanted.tables.find((table) => table.name === name)?.place;
  const isGone = place !== undefined && !wanted.tables.some((table) => table.place === place);
  const isTaken = next !== undefined && next !== place && old.tables.some((table) => table.place === next);
  return isGone && isTaken && referring(name, old).length === 0;
}

/** The other tables that reference a table. */
export function referring(name: string, { tables }: Schema): readonly string[] {
  return tables
    .filter((table) => table.name !== name && foreignKeysOf(table).some(({ principal }) => principal === name))
    .map((table) => table.name);
}

/** The tables that make way, by name, with their temporary names; only those whose loss was decided. */
export function waysGiven(old: Schema, wanted: Schema, { allowLossy, dropped }: Decisions): ReadonlyMap<string, string> {
  const giving = old.tables.filter((table) => (allowLossy || dropped.has(table.name)) && canGiveWay(table, old, wanted));
  return new Map(giving.map(({ name }) => [name, databaseName(`${name}#gone`)]));
}

/** Renames a table, with its indexes, whose names are unique in a schema. */
export function giveWay({ name, columns, constraints, indexes }: Table, to: string): readonly string[] {
  const keys = constraints
    .filter(({ kind }) => kind === 'unique' || kind === 'primary key')
    .map((constraint) => [quote(constraint.name), quote(databaseName(`${constraint.name}#gone`))] as const);
  const numbers = columns.some(({ identity }) => identity) ? [[primaryKeyOf(name), primaryKeyOf(to)] as const] : [];
  return [
    `alter table ${quote(name)} rename to ${quote(to)};`,
    ...[...numbers, ...keys].map(([from, next]) => `alter table ${quote(to)} rename constraint ${from} to ${next};`),
    ...indexes.map((index) => `alter index ${quote(index.name)} rename to ${quote(databaseName(`${index.name}#gone`))};`),
  ];
}
