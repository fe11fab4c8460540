import type { ExpandPlan } from '../plan/read-plan.js';
import type { StatementBuilder } from './builder.js';
import { sqlHooks } from './hooks.js';
import { compileCondition, compileValue } from './compile-expr.js';
import { compileOrder, compileWindow } from './compile-order.js';
import { compilePlaceOf } from './compile-rows.js';
import { compileTable } from './compile-tables.js';
import { compileCells, expandOrderCells } from './record-cells.js';

/**
 * An expansion as one JSON text. Its scalars are in their text form, as at the top, so that one set of cell writers
 * serves both and no number is read by anyone on the way. What the record does not show at all is `false`.
 */
export function compileExpand(expand: ExpandPlan, builder: StatementBuilder): string {
  const { shownWhere } = expand;
  if (shownWhere === undefined) return compileShown(expand, builder);
  return `case when ${compileCondition(shownWhere, builder)} then to_json(${compileShown(expand, builder)}) else 'false'::json end`;
}

function compileShown(expand: ExpandPlan, builder: StatementBuilder): string {
  const from = `from ${compileExpanded(expand, builder)}`;
  if (expand.form === 'count') return `(select count(*) ${from})`;
  if (!expand.collection) return `(select to_json(${compileRecord(expand, builder)}) ${from})`;
  const records = compileRecords(expand, from, builder);
  return expand.count ? `json_build_array((select count(*) ${from}), ${records})` : records;
}

/** What an expansion reads, under its selection's alias, and which of it. */
export function compileExpanded({ hop, apply, selection, filter }: ExpandPlan, builder: StatementBuilder): string {
  // The meeting is within what $apply begins with.
  const [source, meeting] = apply
    ? [`${sqlHooks.get('compileApply')(apply, builder)} ${selection.alias}`, 'true']
    : [compileTable(hop), compilePlaceOf(hop, builder)];
  return `${source} where ${meeting}${filter ? ` and ${compileCondition(filter, builder)}` : ''}`;
}

// One record more than a page holds: it tells that the rest is behind a link.
function compileRecords(expand: ExpandPlan, from: string, builder: StatementBuilder): string {
  const record = compileRecord(expand, builder);
  const order = expand.order.map((term) => compileValue(term.expression, builder));
  const limit = expand.page === undefined ? expand.top : expand.page.size + 1;
  const window = `${compileOrder(expand.order, order)}${compileWindow(limit, expand.skip, builder)}`;
  return `(select json_agg(page.record) from (select ${record} as record ${from}${window}) page)`;
}

function compileRecord(expand: ExpandPlan, builder: StatementBuilder): string {
  const { expands } = expand.selection;
  const values = [
    ...compileCells(expand.selection, builder),
    ...expandOrderCells(expand).hidden.map(({ expression }) => compileValue(expression, builder)),
  ];
  const array = `array[${values.map((value) => `${value}::text`).join(', ')}]::text[]`;
  if (expands.length === 0) return array;
  return `json_build_array(${[array, ...expands.map((inner) => compileExpand(inner, builder))].join(', ')})`;
}
