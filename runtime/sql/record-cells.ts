import type { ExpandPlan, OrderTerm, Selection } from '../plan/read-plan.js';
import { columnReference, type StatementBuilder } from './builder.js';
import { compileValue } from './compile-expr.js';

/** The cells that are read of a record: key columns and version first, then the selected columns, then computed values. */
export function compileCells(selection: Selection, builder: StatementBuilder): readonly string[] {
  const keys = selection.keyColumns.map(({ column }) => column);
  const version = selection.etag ? ['#version'] : [];
  const columns = [...keys, ...version, ...selection.columns.map(({ column }) => column)];
  const computed = selection.computed.map(({ expression }) => compileValue(expression, builder));
  return [...columns.map((column) => columnReference(selection.alias, column)), ...computed];
}

/** How many cells are read of a record. */
export function cellCount(selection: Selection): number {
  return selection.keyColumns.length + (selection.etag ? 1 : 0) + selection.columns.length + selection.computed.length;
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
