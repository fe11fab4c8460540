import type { Column, Table } from '../runtime/schema/schema.js';

/** The table with its columns changed, and with them the properties that share a column. */
export function mapColumns(table: Table, change: (column: Column) => Column): Table {
  const changed = (column: Column): Column => ({ ...change(column), ...(column.holds && { holds: column.holds.map(changed) }) });
  return { ...table, columns: table.columns.map(changed) };
}
