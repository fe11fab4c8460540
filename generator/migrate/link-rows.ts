import { quote } from '../../runtime/schema/identifier.js';
import { foreignKeysOf } from '../../runtime/schema/print-schema.js';
import type { Column, ForeignKey, Table } from '../../runtime/schema/schema.js';
import { isMissingIn, type TableChange } from './table-change.js';
import { batched } from './row-steps.js';
import type { Step } from './step.js';

/** The new `#id` columns of relations that rows store by key already. */
export function linkedColumns({ old, wanted }: Pick<TableChange, 'old' | 'wanted'>): readonly Column[] {
  const isNew = isMissingIn(old);
  return wanted.columns.filter((column) => column.linkedBy !== undefined && isNew(column));
}

/** Fills the `#id` columns from the keys. */
export function linkRows(change: TableChange): readonly Step[] {
  const { table, wanted } = change;
  return linkedColumns(change).flatMap(({ name, linkedBy = '' }) =>
    bothTimes(wanted.name, `update ${table} set ${quote(name)} = ${linkedBy} where ${quote(name)} is null`),
  );
}

/** A relation that rows stored by `#id`, and store by key from now on. */
interface KeyedRelation {
  /** The `#id` column. */
  readonly number: string;
  readonly key: ForeignKey;
}

/** The relations of a table that become keyed; a relation keeps the name of its foreign key. */
export function keyedRelations(old: Table, wanted: Table): readonly KeyedRelation[] {
  const before = new Map(foreignKeysOf(old).map((key) => [key.name, key]));
  return foreignKeysOf(wanted).flatMap((key) => {
    const { columns: [number = ''] = [], principal } = before.get(key.name) ?? {};
    const isKeyed = number.startsWith('#') && principal === key.principal && key.columns.every((column) => !column.startsWith('#'));
    return isKeyed && !wanted.columns.some(({ name }) => name === number) ? [{ number, key }] : [];
  });
}

/** Fills missing keys from the `#id` columns. */
export function keyRows({ table, old, wanted }: TableChange): readonly Step[] {
  return keyedRelations(old, wanted).flatMap(({ number, key: { columns, principal, principalColumns } }) => {
    const set = columns.map((column, index) => `${quote(column)} = there.${quote(principalColumns[index] ?? '')}`);
    const empty = columns.map((column) => `${table}.${quote(column)} is null`);
    const rows = `update ${table} set ${set.join(', ')} from ${quote(principal)} there where there."#id" = ${table}.${quote(number)} and ${empty.join(' and ')}`;
    return bothTimes(wanted.name, rows, `${table}."#id"`);
  });
}

// The second time is for rows that a service with the old model has written meanwhile.
function bothTimes(table: string, rows: string, id?: string): readonly Step[] {
  const note = 'links that a service with the old model changes from this step on are lost; stop it before this step';
  return [batched('backfill', table, rows, [note], id), batched('contract', table, rows, [], id)];
}
