import type { ExpandPlan, ReadPlan } from '../plan/read-plan.js';
import { StatementBuilder } from './builder.js';
import { compileExpanded } from './compile-expand.js';
import { compileValue } from './compile-expr.js';
import { compileOrder, compileWindow } from './compile-order.js';
import { compileSource, compileWhere } from './compile-read.js';
import { cellCount } from './record-cells.js';
import type { Statement } from './statement.js';

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
  const weight = cellCount(selection);
  if (selection.expands.length === 0) return `select ${weight} from ${records}`;
  return `select expanded.weight from ${records} cross join lateral (select ${weight} union all (${compileAll(selection.expands, builder)})) expanded(weight)`;
}
