import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column, Schema, Table } from '../../runtime/schema/schema.js';

/** How many rows every table gets; a singleton has one. */
const rowCount = 3;

/** Statements that fill every table of a schema: a value says its row, so that keys are distinct and foreign keys meet. */
export function fillStatements({ tables }: Schema): readonly string[] {
  return [
    // Rows of tables that refer to each other come one after the other.
    ...tables.map(({ name }) => `alter table ${quote(name)} disable trigger all`),
    ...tables.filter(({ name }) => name !== '#stream').flatMap((table) => rowsOf(table).map((row) => insert(table, row))),
    ...tables.filter(({ name }) => name !== '#stream').flatMap((table) => chunks(table)),
    ...tables.map(({ name }) => `alter table ${quote(name)} enable trigger all`),
  ];
}

function rowsOf({ columns }: Table): readonly number[] {
  return Array.from({ length: columns.some(({ name }) => name === '#one') ? 1 : rowCount }, (_, index) => index + 1);
}

function insert(table: Table, row: number): string {
  const [parent, ...others] = table.columns.filter(({ name }) => name.startsWith('#in.'));
  const filled = table.columns.filter((column) => column.generated === undefined && !others.includes(column));
  const values = filled.map((column) => (column === parent ? String(row) : valueOf(table, column, row)));
  return `insert into ${quote(table.name)} (${filled.map(({ name }) => quote(name)).join(', ')}) values (${values.join(', ')}) on conflict do nothing`;
}

function chunks({ name, columns }: Table): readonly string[] {
  const streams = columns.filter((column) => column.name.endsWith('.stream'));
  return streams.map(
    (column) =>
      `insert into "#stream" ("#stream", "#number", "#data", ${quote(name)}) select ${quote(column.name)}, 0, 'x', "#id" from ${quote(name)}`,
  );
}

function valueOf({ name: table }: Table, column: Column, row: number): string {
  const { name, holds, types } = column;
  if (holds !== undefined)
    return `jsonb_build_object(${holds
      .slice(0, 40)
      .map((held) => `${literal(held.name)}, (${valueOf({ name: table } as Table, held, row)})::text`)
      .join(', ')})`;
  if (types !== undefined) return literal(types[row % types.length] ?? '');
  if (name === '#one') return 'true';
  // A pair whose sides were the other way round would be another pair.
  if (name === '#target') return String((row % rowCount) + 1);
  if (name === '#open') return `'{"Free": ${row}}'`;
  if (name.endsWith('.stream')) return `md5('${table}${row}')::uuid`.replace(table, `${table}${name}`);
  return byType(column, row);
}

function byType({ name, type, default: given }: Column, row: number): string {
  if (type === 'jsonb')
    return given === "'[]'" ? `'[{"Street": "${row}"}]'` : name === 'Spot' ? `'{"Number": ${row}}'` : `'{"Street": "${row}"}'`;
  if (type.endsWith('[]')) return `array['${row}', ',']::${type}`;
  if (type === 'boolean') return String(row % 2 === 0);
  if (type.startsWith('timestamptz')) return `'2026-01-0${row}T00:00:00Z'::${type}`;
  return /^(varchar|text)/.test(type) ? `'${row}'` : `${row}::${type}`;
}
