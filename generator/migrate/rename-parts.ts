import { quote } from '../../runtime/schema/identifier.js';
import { printConstraint, printIndexBody, foreignKeysOf } from '../../runtime/schema/print-schema.js';
import type { Constraint, Index, Schema, Table } from '../../runtime/schema/schema.js';
import { cutBytes, maxColumnBytes, databaseName } from '../graph/names/names.js';
import type { Decisions } from './step.js';

/** The schema whose indexes and constraints have the names of the wanted ones; after a rename they are renamed, not recreated. */
export function renameParts(schema: Schema, wanted: Schema): { readonly schema: Schema; readonly statements: readonly string[] } {
  const statements: string[] = [];
  const tables = schema.tables.map((table) => {
    const target = wanted.tables.find(({ name }) => name === table.name);
    if (target === undefined) return table;
    const constraints = table.constraints.map((part) =>
      renamePart(part, table.constraints, target.constraints, ruleOf, (to) =>
        statements.push(`alter table ${quote(table.name)} rename constraint ${quote(part.name)} to ${quote(to)};`),
      ),
    );
    const indexes = table.indexes.map((part) =>
      renamePart(part, table.indexes, target.indexes, bodyOf, (to) =>
        statements.push(`alter index ${quote(part.name)} rename to ${quote(to)};`),
      ),
    );
    return { ...table, constraints, indexes };
  });
  return { schema: { ...schema, tables }, statements };
}

function renamePart<Part extends Constraint | Index>(
  part: Part,
  old: readonly Part[],
  wanted: readonly Part[],
  textOf: (part: Part) => string,
  onRename: (to: string) => void,
): Part {
  if (wanted.some(({ name }) => name === part.name)) return part;
  const match = wanted.find((other) => textOf(other) === textOf(part) && !old.some(({ name }) => name === other.name));
  if (match === undefined) return part;
  onRename(match.name);
  return { ...part, name: match.name };
}

/** The definition of a constraint, without its name. */
export function ruleOf(constraint: Constraint): string {
  return printConstraint({ ...constraint, name: '' });
}

/** The definition of an index, without its name. */
export function bodyOf(index: Index): string {
  return `${index.unique ? 'unique ' : ''}${printIndexBody(index)}`;
}

/** The name of the primary key, as PostgreSQL derives it from the table. */
export function primaryKeyOf(table: string): string {
  return quote(`${cutBytes(table, maxColumnBytes - '_pkey'.length)}_pkey`);
}

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
