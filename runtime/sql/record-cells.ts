import type { ExpandPlan, OrderTerm, SelectedColumn, SelectedStream, Selection } from '../plan/read-plan.js';
import { openColumn, streamColumns } from '../edm/index.js';
import { columnReference, type StatementBuilder } from './builder.js';
import { compileCondition, compileValue } from './compile-expr.js';
import { compileBytes } from './compile-stream.js';

/**
 * The cells that are read of a record: key columns, version, type, number, what is told of streams and their values first, then the selected columns, then computed values,
 * and last the columns of the properties that have none of their own, and of those that the model does not declare.
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
  return [
    ...first,
    ...inlineStreams(selection).map(({ stream, shownWhere }) => valueCell(compileBytes(alias, stream), shownWhere, builder)),
    ...columns,
    ...computed,
    ...others,
    ...open,
  ];
}

/** What stands in the cell of a stream's value where the record does not show the stream at all; no base64 has it. */
export const notShown = '!';

function valueCell(bytes: string, shownWhere: SelectedStream['shownWhere'], builder: StatementBuilder): string {
  return shownWhere === undefined ? bytes : `case when ${compileCondition(shownWhere, builder)} then ${bytes} else '${notShown}' end`;
}

/** The streams whose values are read. */
export function inlineStreams({ streams = [] }: Pick<Selection, 'streams'>): readonly SelectedStream[] {
  return streams.filter(({ inline }) => inline);
}

// Of each stream its media type and its ETag.
function streamCells({ streams = [] }: Selection): readonly string[] {
  return streams.flatMap(({ stream }) => {
    const { type, etag } = streamColumns(stream);
    return [type, etag];
  });
}

/** The selected columns with a cell each, and those that share one. */
export function placedColumns({ columns }: Selection): {
  readonly own: readonly SelectedColumn[];
  readonly shared: readonly SelectedColumn[];
} {
  if (!columns.some(isShared)) return { own: columns, shared: [] };
  return { own: columns.filter((column) => !isShared(column)), shared: columns.filter(isShared) };
}

/** The selected columns that are not read as something else already. */
function ownColumns(selection: Selection): readonly SelectedColumn[] {
  return placedColumns(selection).own.filter((column) => keyCell(column, selection) < 0);
}

/** How many cells stand before the selected columns: the key's, the version's, the type's, the number's and those of the streams. */
export function firstColumn({ streams = [], ...selection }: Selection): number {
  return firstInline({ ...selection, streams }) + inlineStreams({ streams }).length;
}

/** The first of the cells that tell of streams, two a stream. */
export function firstStream(selection: NumberedSelection): number {
  return numberCell(selection) + (selection.named ? 1 : 0);
}

/** The first of the cells that have values of streams. */
export function firstInline({ streams = [], ...selection }: Selection): number {
  return firstStream(selection) + 2 * streams.length;
}

/** What the first cells depend on. */
type NumberedSelection = Pick<Selection, 'keyColumns' | 'etag' | 'types' | 'named'>;

/** Where a record's number is, of those that the request may have given a name. */
export function numberCell({ keyColumns, etag, types }: NumberedSelection): number {
  return keyColumns.length + (etag ? 1 : 0) + (types ? 1 : 0);
}

/** Where the value of each selected column lies, and behind them that of each computed one; -1 for one among others in a cell. */
export function columnCells(selection: Selection): readonly number[] {
  let next = firstColumn(selection);
  const cellOf = (column: SelectedColumn): number => {
    if (isShared(column)) return -1;
    const key = keyCell(column, selection);
    return key < 0 ? next++ : key;
  };
  return [...selection.columns.map(cellOf), ...selection.computed.map(() => next++)];
}

/** Whether a column's value lies among others in one cell. */
function isShared({ field, expression }: SelectedColumn): boolean {
  return field.more === true && expression === undefined;
}

/** How many cells are read of a record. */
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

/** Where the cell of the dynamic properties is. */
export function openCell(selection: Selection): number {
  return cellCount(selection) - 1;
}

/** Where the cell is that several columns share. */
export function sharedCell(selection: Selection): number {
  return cellCount(selection) - (selection.open === undefined ? 1 : 2);
}

/** Whether so many records may come to more than about a megabyte, which a slow client takes its time to read. */
export function isLarge(selection: Selection, records: number): boolean {
  return records * cellsWithin(selection) > 50_000;
}

// How many records an expansion will have is not known; ten is what a listing has of photographs and rooms. A stream's value may be as long as thousands of others.
function cellsWithin(selection: Selection): number {
  return selection.expands.reduce(
    (sum, { collection, items, selection: inner }) => sum + (collection || items ? 10 : 1) * cellsWithin(inner),
    cellCount(selection) + 5_000 * inlineStreams(selection).length,
  );
}

/** What is read for the order: the terms that no cell has the value of, and where the values of all lie. */
export interface OrderCells {
  /** Read behind everything else, since a link may have to go on after them. */
  readonly hidden: readonly OrderTerm[];
  readonly cells: readonly number[];
}

/** Where an order's values are in a row; the first of the hidden ones stands at `firstHidden`. */
export function orderCells(order: readonly OrderTerm[], selection: Selection, firstHidden = cellCount(selection)): OrderCells {
  const hidden = order.filter((term) => termCell(term, selection) < 0);
  const cells = order.map((term) => {
    const cell = termCell(term, selection);
    return cell < 0 ? firstHidden + hidden.indexOf(term) : cell;
  });
  return { hidden, cells };
}

/** Those of an expansion; one that is not cut has no link that would need them. */
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
