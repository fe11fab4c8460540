import type { OrderTerm, ReadPlan } from '../plan/read-plan.js';
import { identifier, StatementBuilder } from './builder.js';
import { sqlHooks } from './hooks.js';
import { compileExpand } from './compile-expand.js';
import { compileCondition, compileValue } from './compile-expr.js';
import { compileAfter, splitsAtNull, type Reach } from './compile-keyset.js';
import { compileOrder, compileWindow } from './compile-order.js';
import { compilePlace } from './compile-place.js';
import { cellCount, compileCells, orderCells, type OrderCells } from './record-cells.js';
import type { Statement } from './statement.js';

/**
 * The statement of a page with its expansions. A row has the cells of `compileCells`, one JSON text for each expansion,
 * and the hidden values of the order.
 */
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
  return orderCells(order, selection, cellCount(selection) + selection.expands.length);
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
export function compileSource({ apply, sets = [], union, selection }: ReadPlan, builder: StatementBuilder): string {
  if (union) return sqlHooks.get('compileUnion')(union, builder);
  const others = sets.slice(0, -1).map(({ type, alias }) => `${identifier(type.table)} ${alias} cross join `);
  if (others.length > 0) return `${others.join('')}${identifier(selection.table)}`;
  return apply ? sqlHooks.get('compileApply')(apply, builder) : identifier(selection.table);
}

/** The conditions of a plan on its source. */
export function compileWhere(plan: ReadPlan, builder: StatementBuilder, reach?: Reach): string {
  const conditions = [
    ...compilePlace(plan, plan.selection.alias, builder),
    ...(plan.filter ? [compileCondition(plan.filter, builder)] : []),
    ...(plan.after ? [compileAfter(plan.order, plan.after, builder, reach)] : []),
  ];
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}
