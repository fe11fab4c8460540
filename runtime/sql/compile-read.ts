import type { ExpandPlan, OrderTerm, ParentStep, ReadPlan, Selection } from '../plan/read-plan.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import { columnReference, identifier, StatementBuilder } from './builder.js';
import { compileCondition, compileValue } from './compile-expr.js';
import { compileAfter } from './compile-keyset.js';
import { compileMeeting } from './compile-rows.js';
import type { Statement } from './statement.js';

/**
 * One statement for a page with everything expanded. A row is the selection's cells in the order of
 * `cellsOf`, then one JSON text for each expansion, then the values of the order's terms.
 */
export function compileRead(plan: ReadPlan): Statement {
  const builder = new StatementBuilder();
  const cells = [...topCells(plan.selection), ...plan.selection.expands.map((expand) => compileExpand(expand, builder))];
  const order = plan.order.map((term) => compileValue(term.expression, builder));
  const where = compileWhere(plan, builder);
  const columns = [...cells, ...order].join(', ') || '1';
  const text = `select ${columns} from ${identifier(plan.selection.table)} ${plan.selection.alias}${where}`;
  return builder.statement(text + compileOrder(plan.order, order) + compileWindow(plan.limit, plan.offset, builder));
}

/** The exact number of records that the filter leaves, whatever the page. */
export function compileCountOf(plan: ReadPlan): Statement {
  const builder = new StatementBuilder();
  const { after: _, ...whole } = plan;
  const where = compileWhere(whole, builder);
  return builder.statement(`select count(*) from ${identifier(plan.selection.table)} ${plan.selection.alias}${where}`);
}

function topCells(selection: Selection): readonly string[] {
  return cellsOf(selection).map((column) => columnReference(selection.alias, column));
}

/** The columns that are read of a record: key columns and version first, then the selected ones. */
export function cellsOf(selection: Selection): readonly string[] {
  const keys = selection.keyColumns.map(({ column }) => column);
  const version = selection.etag ? ['#version'] : [];
  return [...keys, ...version, ...selection.columns.map(({ column }) => column)];
}

function compileWhere(plan: ReadPlan, builder: StatementBuilder): string {
  const conditions = [
    ...plan.key.map(({ column, value, sqlType }) => `${columnReference(plan.selection.alias, column)} = ${builder.bind(value, sqlType)}`),
    ...compileParents(plan.parents, plan.selection.alias, builder),
    ...(plan.filter ? [compileCondition(plan.filter, builder)] : []),
    ...(plan.after ? [compileAfter(plan.order, plan.after, builder)] : []),
  ];
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}

// A record's place beneath its parents in the path, innermost parent first.
function compileParents(parents: readonly ParentStep[], child: string, builder: StatementBuilder): readonly string[] {
  const [parent, ...further] = parents;
  if (parent === undefined) return [];
  const conditions = [
    ...parent.on.map(([own, other]) => `${columnReference(parent.alias, other)} = ${columnReference(child, own)}`),
    ...parent.key.map(({ column, value, sqlType }) => `${columnReference(parent.alias, column)} = ${builder.bind(value, sqlType)}`),
    ...compileParents(further, parent.alias, builder),
  ];
  return [`exists (select from ${identifier(parent.table)} ${parent.alias} where ${conditions.join(' and ')})`];
}

// OData sorts null lowest; PostgreSQL does not unless told, and is only told where a null can be.
function compileOrder(order: readonly OrderTerm[], compiled: readonly string[]): string {
  if (order.length === 0) return '';
  const terms = order.map(({ expression, descending }, index) => `${compiled[index]}${direction(expression, descending)}`);
  return ` order by ${terms.join(', ')}`;
}

function direction({ nullable }: TypedExpr, descending: boolean): string {
  if (!nullable) return descending ? ' desc' : '';
  return descending ? ' desc nulls last' : ' nulls first';
}

function compileWindow(limit: number | undefined, offset: number | undefined, builder: StatementBuilder): string {
  const parts = [
    ...(limit === undefined ? [] : [` limit ${builder.bind(String(limit), 'bigint')}`]),
    ...(offset === undefined ? [] : [` offset ${builder.bind(String(offset), 'bigint')}`]),
  ];
  return parts.join('');
}

// An expansion travels as one JSON text. Its scalars are in their text form, as at the top, so that one
// set of cell writers serves both and no number is read by anyone on the way.
function compileExpand(expand: ExpandPlan, builder: StatementBuilder): string {
  const record = compileRecord(expand.selection, builder);
  const order = expand.order.map((term) => compileValue(term.expression, builder));
  const filter = expand.filter ? ` and ${compileCondition(expand.filter, builder)}` : '';
  const from = `from ${identifier(expand.hop.table)} ${expand.hop.alias} where ${compileMeeting(expand.hop)}${filter}`;
  if (!expand.collection) return `(select to_json(${record}) ${from})`;
  const page = `${from}${compileOrder(expand.order, order)}${compileWindow(expand.top, expand.skip, builder)}`;
  const records = `(select json_agg(page.record) from (select ${record} as record ${page}) page)`;
  return expand.count ? `json_build_array((select count(*) ${from}), ${records})` : records;
}

function compileRecord(selection: Selection, builder: StatementBuilder): string {
  const cells = topCells(selection).map((cell) => `${cell}::text`);
  const array = `array[${cells.join(', ')}]::text[]`;
  if (selection.expands.length === 0) return array;
  return `json_build_array(${[array, ...selection.expands.map((expand) => compileExpand(expand, builder))].join(', ')})`;
}
