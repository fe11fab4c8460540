import type { ExpandPlan, OrderTerm, ReadPlan } from '../plan/read-plan.js';
import { quote } from '../schema/identifier.js';
import { StatementBuilder } from './builder.js';
import { compileCondition, compileValue } from './compile-expr.js';
import { compileAfter, type Reach, splitsAtNull } from './compile-keyset.js';
import { compileOrder, compileTable, compileWindow } from './compile-clauses.js';
import { compilePlaceOf } from './compile-rows.js';
import { compilePlace } from './compile-target.js';
import { sqlHooks } from './hooks.js';
import { cellsOf, compileCells, expandedCount, expandOrderCells, isAppended, orderCells, type OrderCells } from './record-cells.js';
import type { Statement } from './statement.js';

/** The statement of a page: a row has the cells of `compileCells`, a JSON text per expansion, and the hidden values of the order. */
export function compileRead(plan: ReadPlan, reach?: Reach): Statement {
  const builder = new StatementBuilder();
  const cells = [...compileCells(plan.selection, builder), ...plan.selection.expands.map((expand) => compileExpand(expand, builder))];
  const order = plan.order.map((term) => compileValue(term.expression, builder));
  const { hidden } = rowOrder(plan);
  const where = compileWhere(plan, builder, reach);
  const columns = [...cells, ...order.filter((_, index) => hidden.includes(plan.order[index] as OrderTerm))].join(', ') || '1';
  const text = `select ${columns} from ${compileSource(plan, builder)} ${plan.selection.alias}${where}`;
  const whole = text + compileOrder(plan.order, order) + compileWindow(plan.limit, plan.offset, builder);
  return isByKey(plan) ? builder.reusableStatement(whole) : builder.statement(whole);
}

/** The cells of a read's order. */
export function rowOrder({ order, selection }: ReadPlan): OrderCells {
  return orderCells(order, selection, cellsOf(selection).count + selection.expands.length);
}

/** The statements of a page: two where it continues from rows with null to those without, or vice versa. */
export function compilePage(plan: ReadPlan): { readonly rows: Statement; readonly further?: Statement } {
  if (!plan.after || !splitsAtNull(plan.order, plan.after)) return { rows: compileRead(plan) };
  return { rows: compileRead(plan, 'near'), further: compileRead(plan, 'far') };
}

// A generic plan of a filter can cost thousands of times the custom one; by key they are equal.
function isByKey({ key, filter, apply, limit }: ReadPlan): boolean {
  return key.length > 0 && filter === undefined && apply === undefined && limit === undefined;
}

/** The exact count of the filtered rows, whatever the page. */
export function compileCountOf(plan: ReadPlan): Statement {
  const builder = new StatementBuilder();
  const { after: _, ...whole } = plan;
  const where = compileWhere(whole, builder);
  return builder.statement(`select count(*) from ${compileSource(plan, builder)} ${plan.selection.alias}${where}`);
}

/** The source of a plan: a table, a cross join, or the result of `$apply`; the last alias is the selection's. */
function compileSource({ apply, sets = [], union, selection }: ReadPlan, builder: StatementBuilder): string {
  if (union) return sqlHooks.get('compileUnion')(union, builder);
  const others = sets.slice(0, -1).map(({ type, alias }) => `${quote(type.table)} ${alias} cross join `);
  if (others.length > 0) return `${others.join('')}${quote(selection.table)}`;
  return apply ? sqlHooks.get('compileApply')(apply, builder) : quote(selection.table);
}

function compileWhere(plan: ReadPlan, builder: StatementBuilder, reach?: Reach): string {
  const conditions = [
    ...compilePlace(plan, plan.selection.alias, builder),
    ...(plan.filter ? [compileCondition(plan.filter, builder)] : []),
    ...(plan.after ? [compileAfter(plan.order, plan.after, builder, reach)] : []),
  ];
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}

/**
 * An expansion as one JSON text. Its scalars are in their text form, as in columns, so that one set of cell writers
 * serves both and no number is parsed. `false` for a row without the property.
 */
function compileExpand(expand: ExpandPlan, builder: StatementBuilder): string {
  const { existsWhere } = expand;
  if (existsWhere === undefined) return compileShown(expand, builder);
  return `case when ${compileCondition(existsWhere, builder)} then to_json(${compileShown(expand, builder)}) else 'false'::json end`;
}

function compileShown(expand: ExpandPlan, builder: StatementBuilder): string {
  const from = `from ${compileExpanded(expand, builder)}`;
  if (expand.form === 'count') return `(select count(*) ${from})`;
  if (!expand.collection) return `(select to_json(${compileRecord(expand, builder)}) ${from})`;
  const records = compileRecords(expand, from, builder);
  return expand.count ? `json_build_array((select count(*) ${from}), ${records})` : records;
}

/** The source of an expansion under its selection's alias, with its conditions. */
function compileExpanded({ joinStep, filter }: ExpandPlan, builder: StatementBuilder): string {
  return `${compileTable(joinStep)} where ${compilePlaceOf(joinStep, builder)}${filter ? ` and ${compileCondition(filter, builder)}` : ''}`;
}

// One row more than the page size: it implies a next link.
function compileRecords(expand: ExpandPlan, from: string, builder: StatementBuilder): string {
  const record = compileRecord(expand, builder);
  const order = expand.order.map((term) => compileValue(term.expression, builder));
  const limit = expand.page === undefined ? expand.top : expand.page.size + 1;
  const window = `${compileOrder(expand.order, order)}${compileWindow(limit, expand.skip, builder)}`;
  return `(select json_agg(page.record) from (select ${record} as record ${from}${window}) page)`;
}

// The cells of a record; in front of its expansions that are not among them.
function compileRecord(expand: ExpandPlan, builder: StatementBuilder): string {
  const { expands } = expand.selection;
  const values = [
    ...compileCells(expand.selection, builder),
    ...expandOrderCells(expand).hidden.map(({ expression }) => compileValue(expression, builder)),
  ];
  const own = `array[${values.map((value) => `${value}::text`).join(', ')}]::text[]`;
  const cells = [own, ...expands.filter(isAppended).map((inner) => compileAppended(inner, builder))].join(' || ');
  const others = expands.filter((inner) => !isAppended(inner)).map((inner) => compileExpand(inner, builder));
  return others.length === 0 ? `(${cells})` : `json_build_array(${[cells, ...others].join(', ')})`;
}

// Without a record all its cells are null.
function compileAppended(expand: ExpandPlan, builder: StatementBuilder): string {
  const record = `(select ${compileRecord(expand, builder)} from ${compileExpanded(expand, builder)})`;
  return `coalesce(${record}, array_fill(null::text, array[${expandedCount(expand)}]))`;
}

/** How many records a page expands on all levels together, and their values; it counts no further than one record beyond the limit. */
export function compileExpandedCount(plan: ReadPlan, limit: number): Statement {
  const builder = new StatementBuilder();
  const { alias } = plan.selection;
  const order = plan.order.map((term) => compileValue(term.expression, builder));
  const window = `${compileOrder(plan.order, order)}${compileWindow(plan.limit, plan.offset, builder)}`;
  const page = `(select ${alias}.* from ${compileSource(plan, builder)} ${alias}${compileWhere(plan, builder)}${window}) ${alias}`;
  const expanded = `select expanded.weight from ${page} cross join lateral (${compileAll(plan.selection.expands, builder)}) expanded(weight)`;
  return builder.statement(
    `select count(*), coalesce(sum(weight), 0) from (${expanded} limit ${builder.bind(String(limit + 1), 'bigint')}) bounded`,
  );
}

// A number instead of records expands none.
function compileAll(expands: readonly ExpandPlan[], builder: StatementBuilder): string {
  const shown = expands.filter(({ form }) => form !== 'count');
  return shown.length === 0 ? 'select 0 where false' : shown.map((expand) => `(${compileOne(expand, builder)})`).join(' union all ');
}

// The entities themselves, and for each the entities it expands.
function compileOne(expand: ExpandPlan, builder: StatementBuilder): string {
  const { selection } = expand;
  const from = compileExpanded(expand, builder);
  const order = expand.order.map((term) => compileValue(term.expression, builder));
  const window = expand.collection
    ? `${compileOrder(expand.order, order)}${compileWindow(expand.top ?? expand.page?.size, expand.skip, builder)}`
    : '';
  const records = `(select ${selection.alias}.* from ${from}${window}) ${selection.alias}`;
  const weight = cellsOf(selection).count;
  if (selection.expands.length === 0) return `select ${weight} from ${records}`;
  return `select expanded.weight from ${records} cross join lateral (select ${weight} union all (${compileAll(selection.expands, builder)})) expanded(weight)`;
}
