import type { ExpandPlan, OrderTerm, SelectedColumn, Selection } from '../plan/read-plan.js';
import { openColumn } from '../edm/index.js';
import { columnReference, type StatementBuilder } from './builder.js';
import { compileValue } from './compile-expr.js';

/**
 * The cells that are read of a record: key columns, version and type first, then the selected columns, then computed values,
 * and last the columns of the properties that have none of their own, and of those that the model does not declare.
 */
export function compileCells(selection: Selection, builder: StatementBuilder): readonly string[] {
  const { alias } = selection;
  const { own, shared } = placedColumns(selection);
  const keys = selection.keyColumns.map(({ column }) => column);
  const first = [...keys, ...(selection.etag ? ['#version'] : []), ...(selection.types ? ['#type'] : [])].map((column) => columnReference(alias, column));
  const columns = own.map(({ column, expression }) => (expression ? compileValue(expression, builder) : columnReference(alias, column)));
  const computed = selection.computed.map(({ expression }) => compileValue(expression, builder));
  const others = shared.slice(0, 1).map(({ column }) => columnReference(alias, column));
  const open = selection.open === undefined ? [] : [columnReference(alias, openColumn)];
  return [...first, ...columns, ...computed, ...others, ...open];
}

/** The selected columns with a cell each, and those that share one. */
export function placedColumns({ columns }: Selection): { readonly own: readonly SelectedColumn[]; readonly shared: readonly SelectedColumn[] } {
  if (!columns.some(isShared)) return { own: columns, shared: [] };
  return { own: columns.filter((column) => !isShared(column)), shared: columns.filter(isShared) };
}

/** Whether a column's value lies among others in one cell. */
export function isShared({ field, expression }: SelectedColumn): boolean {
  return field.more === true && expression === undefined;
}

/** How many cells are read of a record. */
export function cellCount(selection: Selection): number {
  const { own, shared } = placedColumns(selection);
  return selection.keyColumns.length + (selection.etag ? 1 : 0) + (selection.types ? 1 : 0) + own.length + selection.computed.length + (shared.length > 0 ? 1 : 0) + (selection.open === undefined ? 0 : 1);
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

// How many records an expansion will have is not known; ten is what a listing has of photographs and rooms.
function cellsWithin(selection: Selection): number {
  return selection.expands.reduce((sum, { collection, selection: inner }) => sum + (collection ? 10 : 1) * cellsWithin(inner), cellCount(selection));
}

/** Terms of an expansion's order that are read behind the other cells, since a link may have to continue after them. */
export function hiddenTerms({ page, order, selection }: ExpandPlan): readonly OrderTerm[] {
  return page === undefined ? [] : order.filter((term) => keyCell(term, selection) < 0);
}

/** Where the values of an expansion's order lie among the cells of a record. */
export function orderCells(expand: ExpandPlan): readonly number[] {
  const hidden = hiddenTerms(expand);
  const first = cellCount(expand.selection);
  return expand.order.map((term) => {
    const key = keyCell(term, expand.selection);
    return key < 0 ? first + hidden.indexOf(term) : key;
  });
}

function keyCell({ expression }: OrderTerm, { alias, keyColumns }: Selection): number {
  return expression.kind === 'column' && expression.alias === alias ? keyColumns.findIndex(({ column }) => column === expression.column) : -1;
}
