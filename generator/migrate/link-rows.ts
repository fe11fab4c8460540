import { quote } from '../../runtime/schema/identifier.js';
import { foreignKeysOf } from '../../runtime/schema/print-schema.js';
import type { Column, ForeignKey, Schema, Table } from '../../runtime/schema/schema.js';
import { commonTables, isMissingIn, ofOneName, type TableChange } from './table-change.js';
import { type Step, batched } from './step.js';

/** The new `#id` columns of relations that rows store by key already. */
export function linkedColumns({ old, wanted }: Pick<TableChange, 'old' | 'wanted'>): readonly Column[] {
  const isNew = isMissingIn(old);
  return wanted.columns.filter((column) => column.linkedBy !== undefined && isNew(column));
}

/** The schema with the expressions that fill the `#id` columns of relations whose referential constraint is gone. */
export function withFormerLinks(old: Schema, wanted: Schema): Schema {
  const tables = new Map(commonTables(old, wanted).map(([before, table]) => [table, linkedAsBefore(before, table)]));
  return { ...wanted, tables: wanted.tables.map((table) => tables.get(table) ?? table) };
}

function linkedAsBefore(old: Table, wanted: Table): Table {
  const links = new Map(
    ofOneName(foreignKeysOf(old), foreignKeysOf(wanted)).flatMap(([former, { columns, principal }]) => {
      const [number = ''] = columns;
      const isNumbered = !isShown(number) && former.principal === principal && former.columns.every(isShown);
      return isNumbered ? [[number, { linkedBy: recordNumber(wanted.name, former) }] as const] : [];
    }),
  );
  return { ...wanted, columns: wanted.columns.map((column) => ({ ...links.get(column.name), ...column })) };
}

function isShown(column: string): boolean {
  return !column.startsWith('#');
}

function recordNumber(table: string, { columns, principal, principalColumns }: ForeignKey): string {
  const pairs = columns.map((column, index) => `there.${quote(principalColumns[index] ?? '')} = ${quote(table)}.${quote(column)}`);
  return `(select there."#id" from ${quote(principal)} there where ${pairs.join(' and ')})`;
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
  return ofOneName(foreignKeysOf(old), foreignKeysOf(wanted)).flatMap(([former, key]) => {
    const [number = ''] = former.columns;
    const isKeyed = !isShown(number) && former.principal === key.principal && key.columns.every(isShown);
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
