import type { ExpandPlan, OrderTerm, SelectedColumn, Selection } from '../plan/read-plan.js';
import { openColumn, streamColumns } from '../edm/index.js';
import { columnReference, type StatementBuilder } from './builder.js';
import { compileValue } from './compile-expr.js';

/**
 * The cells of a row: key columns, version, type, `#id`, the metadata of streams; then the selected
 * columns, computed values, and last the shared column and that of dynamic properties.
 */
export function compileCells(selection: Selection, builder: StatementBuilder): readonly string[] {
  const { alias } = selection;
  const { shared } = placedColumns(selection);
  const own = ownColumns(selection);
  const keys = selection.keyColumns.map(({ column }) => column);
  const first = [
    ...keys,
    ...(selection.etag ? ['#version'] : []),
    ...(selection.types ? ['#type'] : []),
    ...(selection.named ? ['#id'] : []),
    ...streamCells(selection),
  ].map((column) => columnReference(alias, column));
  const columns = own.map(({ column, expression }) => (expression ? compileValue(expression, builder) : columnReference(alias, column)));
  const computed = selection.computed.map(({ expression }) => compileValue(expression, builder));
  const others = shared.slice(0, 1).map(({ column }) => columnReference(alias, column));
  const open = selection.open === undefined ? [] : [columnReference(alias, openColumn)];
  return [...first, ...columns, ...computed, ...others, ...open];
}

// The media type and the ETag of each stream.
function streamCells({ streams = [] }: Selection): readonly string[] {
  return streams.flatMap(({ stream }) => {
    const { type, etag } = streamColumns(stream);
    return [type, etag];
  });
}

/** The selected columns with their own cells, and those that share one. */
export function placedColumns({ columns }: Selection): {
  readonly own: readonly SelectedColumn[];
  readonly shared: readonly SelectedColumn[];
} {
  if (!columns.some(isShared)) return { own: columns, shared: [] };
  return { own: columns.filter((column) => !isShared(column)), shared: columns.filter(isShared) };
}

/** The selected columns that no earlier cell contains. */
function ownColumns(selection: Selection): readonly SelectedColumn[] {
  return placedColumns(selection).own.filter((column) => keyCell(column, selection) < 0);
}

/** The number of cells before the selected columns: key, version, type, `#id`, and streams. */
export function firstColumn({ streams = [], ...selection }: Selection): number {
  return firstStream(selection) + 2 * streams.length;
}

/** The first cell of stream metadata, two per stream. */
export function firstStream(selection: NumberedSelection): number {
  return numberCell(selection) + (selection.named ? 1 : 0);
}

/** The facts that determine the first cells. */
type NumberedSelection = Pick<Selection, 'keyColumns' | 'etag' | 'types' | 'named'>;

/** The cell with a row's `#id`, where entities are named by the request. */
export function numberCell({ keyColumns, etag, types }: NumberedSelection): number {
  return keyColumns.length + (etag ? 1 : 0) + (types ? 1 : 0);
}

/** The cell of each selected column, followed by those of computed values; -1 for a column that shares one. */
export function columnCells(selection: Selection): readonly number[] {
  let next = firstColumn(selection);
  const cellOf = (column: SelectedColumn): number => {
    if (isShared(column)) return -1;
    const key = keyCell(column, selection);
    return key < 0 ? next++ : key;
  };
  return [...selection.columns.map(cellOf), ...selection.computed.map(() => next++)];
}

/** Whether a column's value is in the shared cell. */
function isShared({ field, expression }: SelectedColumn): boolean {
  return field.more === true && expression === undefined;
}

/** The number of cells in a row. */
export function cellCount(selection: Selection): number {
  const { shared } = placedColumns(selection);
  return (
    firstColumn(selection) +
    ownColumns(selection).length +
    selection.computed.length +
    (shared.length > 0 ? 1 : 0) +
    (selection.open === undefined ? 0 : 1)
  );
}

/** The cell of dynamic properties. */
export function openCell(selection: Selection): number {
  return cellCount(selection) - 1;
}

/** The cell that several columns share. */
export function sharedCell(selection: Selection): number {
  return cellCount(selection) - (selection.open === undefined ? 1 : 2);
}

/** Whether rows may exceed about a megabyte, which a slow client takes its time to read. */
export function isLarge(selection: Selection, records: number): boolean {
  return records * cellsWithin(selection) > 50_000;
}

// The size of an expansion is unknown; ten is usual for a listing's photographs and rooms.
function cellsWithin(selection: Selection): number {
  return selection.expands.reduce(
    (sum, { collection, selection: inner }) => sum + (collection ? 10 : 1) * cellsWithin(inner),
    cellCount(selection),
  );
}

/** The cells that the order needs: hidden terms, and the cell of each term. */
export interface OrderCells {
  /** Appended at the end, since a next link may need them. */
  readonly hidden: readonly OrderTerm[];
  readonly cells: readonly number[];
}

/** The cells of an order's values; those of hidden terms begin at `firstHidden`. */
export function orderCells(order: readonly OrderTerm[], selection: Selection, firstHidden = cellCount(selection)): OrderCells {
  const hidden = order.filter((term) => termCell(term, selection) < 0);
  const cells = order.map((term) => {
    const cell = termCell(term, selection);
    return cell < 0 ? firstHidden + hidden.indexOf(term) : cell;
  });
  return { hidden, cells };
}

/** The order cells of an expansion; without paging it has no links. */
export function expandOrderCells({ page, order, selection }: ExpandPlan): OrderCells {
  return page === undefined ? { hidden: [], cells: [] } : orderCells(order, selection);
}

function termCell({ expression }: OrderTerm, selection: Selection): number {
  if (expression.kind !== 'column' || expression.alias !== selection.alias) return -1;
  const key = selection.keyColumns.findIndex(({ column }) => column === expression.column);
  if (key >= 0) return key;
  const index = selection.columns.findIndex((column) => column.column === expression.column && column.expression === undefined);
  return columnCells(selection)[index] ?? -1;
}

function keyCell({ column, expression }: SelectedColumn, { keyColumns }: Selection): number {
  return expression === undefined ? keyColumns.findIndex((key) => key.column === column) : -1;
}
