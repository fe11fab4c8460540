import { quote } from '../../runtime/schema/identifier.js';
import { foreignKeysOf } from '../../runtime/schema/print-schema.js';
import type { Column, ForeignKey, Schema, Table } from '../../runtime/schema/schema.js';
import { isMissingIn, type TableChange } from './table-change.js';
import { batched } from './row-steps.js';
import type { Step } from './step.js';

/** The new `#id` columns of relations that rows store by key already. */
export function linkedColumns({ old, wanted }: Pick<TableChange, 'old' | 'wanted'>): readonly Column[] {
  const isNew = isMissingIn(old);
  return wanted.columns.filter((column) => column.linkedBy !== undefined && isNew(column));
}

/** The schema with the expressions that fill the `#id` columns of relations whose referential constraint is gone. */
export function withFormerLinks(old: Schema, wanted: Schema): Schema {
  const tables = new Map(old.tables.map((table) => [table.name, table]));
  return { ...wanted, tables: wanted.tables.map((table) => linkedAsBefore(tables.get(table.name), table)) };
}

function linkedAsBefore(old: Table | undefined, wanted: Table): Table {
  const before = new Map(old && foreignKeysOf(old).map((key) => [key.name, key]));
  const links = new Map(
    foreignKeysOf(wanted).flatMap(({ name, columns: [number = ''], principal }) => {
      const former = before.get(name);
      const isNumbered =
        number.startsWith('#') && former?.principal === principal && !former.columns.some((column) => column.startsWith('#'));
      return isNumbered ? [[number, recordNumber(wanted.name, former)] as const] : [];
    }),
  );
  return { ...wanted, columns: wanted.columns.map((column) => ({ ...optional(links.get(column.name)), ...column })) };
}

function optional(linkedBy: string | undefined): Pick<Column, 'linkedBy'> {
  return linkedBy === undefined ? {} : { linkedBy };
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
