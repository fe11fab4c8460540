import type { ExpandPlan, OrderTerm, SelectedColumn, Selection } from '../plan/read-plan.js';
import { openColumn, streamColumns } from '../edm/index.js';
import { columnReference, type StatementBuilder } from './builder.js';
import { compileValue } from './compile-expr.js';
import { memoized } from '../edm/memoized.js';

/**
 * The cells of a row: key columns, version, type, `#id`, the metadata of streams; then the selected columns, computed
 * values, and last the shared column and that of dynamic properties; then those of `records`.
 */
export function compileCells(selection: Selection, builder: StatementBuilder): readonly string[] {
  const { alias, keyColumns, etag, types, named, streams = [], computed, open, records } = selection;
  const { columns, shared } = cellsOf(selection);
  const first = [
    ...keyColumns.map(({ column }) => column),
    ...(etag ? ['#version'] : []),
    ...(types ? ['#type'] : []),
    ...(named ? ['#id'] : []),
    // The media type and the ETag of each stream.
    ...streams.map(({ stream }) => streamColumns(stream)).flatMap((stream) => [stream.type, stream.etag]),
  ];
  const own = selection.columns.filter((_, index) => (columns[index] ?? -1) >= first.length);
  const last = [...shared.slice(0, 1).map(({ column }) => column), ...(open ? [openColumn] : [])];
  return [
    ...first.map((column) => columnReference(alias, column)),
    ...own.map(({ column, expression }) => (expression ? compileValue(expression, builder) : columnReference(alias, column))),
    ...computed.map(({ expression }) => compileValue(expression, builder)),
    ...last.map((column) => columnReference(alias, column)),
    ...(records ? compileCells(records, builder) : []),
  ];
}

/** The positions of a selection's values in a row; -1 for none. */
interface RowCells {
  /** The cell of the row's `#id`, where entities are named by the request. */
  readonly number: number;
  /** The first cell of stream metadata, two per stream. */
  readonly firstStream: number;
  readonly firstColumn: number;
  /** The cell of each selected column, followed by those of computed values; -1 for a column that shares one. */
  readonly columns: readonly number[];
  /** The columns that share a cell. */
  readonly shared: readonly SelectedColumn[];
  readonly sharedCell: number;
  /** The cell of dynamic properties. */
  readonly open: number;
  /** The first cell of `records`. */
  readonly records: number;
  readonly count: number;
}

/** The cells of a selection. */
export const cellsOf = memoized(findCells);

function findCells({ keyColumns, etag, types, named, streams = [], columns, computed, open, records }: Selection): RowCells {
  const number = keyColumns.length + (etag ? 1 : 0) + (types ? 1 : 0);
  const firstStream = number + (named ? 1 : 0);
  const firstColumn = firstStream + 2 * streams.length;
  const keys = new Map(keyColumns.map(({ column }, index) => [column, index]));
  let next = firstColumn;
  const cellOf = (column: SelectedColumn): number => {
    if (isShared(column)) return -1;
    return (column.expression === undefined ? keys.get(column.column) : undefined) ?? next++;
  };
  const cells = [...columns.map(cellOf), ...computed.map(() => next++)];
  const shared = columns.filter(isShared);
  const sharedCell = shared.length > 0 ? next++ : -1;
  const openCell = open ? next++ : -1;
  const count = next + (records ? cellsOf(records).count : 0);
  return { number, firstStream, firstColumn, columns: cells, shared, sharedCell, open: openCell, records: next, count };
}

// Its value is in the cell of all properties that the row has no room for.
function isShared({ field, expression }: SelectedColumn): boolean {
  return field.more === true && expression === undefined;
}

/** Whether rows may exceed about a megabyte, which a slow client takes its time to read. */
export function isLarge(selection: Selection, records: number): boolean {
  return records * cellsWithin(selection) > 50_000;
}

// The size of an expansion is unknown; ten is usual for a listing's photographs and rooms.
function cellsWithin(selection: Selection): number {
  return selection.expands.reduce(
    (sum, { collection, selection: inner }) => sum + (collection ? 10 : 1) * cellsWithin(inner),
    cellsOf(selection).count,
  );
}

/** The cells that the order needs: hidden terms, and the cell of each term. */
export interface OrderCells {
  /** Appended at the end, since a next link may need them. */
  readonly hidden: readonly OrderTerm[];
  readonly cells: readonly number[];
}

/** The cells of an order's values; those of hidden terms begin at `firstHidden`. */
export function orderCells(order: readonly OrderTerm[], selection: Selection, firstHidden = cellsOf(selection).count): OrderCells {
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

/**
 * Whether the cells of an expansion follow those of the record that it belongs to, in one array: of a single record that
 * expands no collection. PostgreSQL appends an array faster than it builds JSON from two.
 */
export function isAppended({ collection, form, existsWhere, selection }: ExpandPlan): boolean {
  const isRecord = !collection && form !== 'count' && existsWhere === undefined;
  return isRecord && selection.keyColumns.length > 0 && selection.expands.every(isAppended);
}

/** The number of cells of a record within an expansion: its own, the hidden values of the order, and those that are appended. */
export function expandedCount(expand: ExpandPlan): number {
  const appended = expand.selection.expands.filter(isAppended);
  return appended.reduce((sum, inner) => sum + expandedCount(inner), ownCount(expand));
}

/** The same without those that are appended. */
export function ownCount(expand: ExpandPlan): number {
  return cellsOf(expand.selection).count + expandOrderCells(expand).hidden.length;
}

function termCell({ expression }: OrderTerm, selection: Selection): number {
  if (expression.kind !== 'column' || expression.alias !== selection.alias) return -1;
  const key = selection.keyColumns.findIndex(({ column }) => column === expression.column);
  if (key >= 0) return key;
  const index = selection.columns.findIndex((column) => column.column === expression.column && column.expression === undefined);
  return cellsOf(selection).columns[index] ?? -1;
}
