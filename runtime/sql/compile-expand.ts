import type { ExpandPlan } from '../plan/read-plan.js';
import type { StatementBuilder } from './builder.js';
import { sqlHooks } from './hooks.js';
import { compileCondition, compileValue } from './compile-expr.js';
import { compileOrder, compileWindow } from './compile-order.js';
import { compilePlaceOf } from './compile-rows.js';
import { compileTable } from './compile-tables.js';
import { compileCells, expandOrderCells } from './record-cells.js';

/**
 * An expansion as one JSON text. Its scalars are in their text form, as in columns, so that one set of cell writers
 * serves both and no number is parsed. `false` for a row without the property.
 */
export function compileExpand(expand: ExpandPlan, builder: StatementBuilder): string {
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
export function compileExpanded({ joinStep, apply, selection, filter }: ExpandPlan, builder: StatementBuilder): string {
  // With $apply, the join is in its source.
  const [source, meeting] = apply
    ? [`${sqlHooks.get('compileApply')(apply, builder)} ${selection.alias}`, 'true']
    : [compileTable(joinStep), compilePlaceOf(joinStep, builder)];
  return `${source} where ${meeting}${filter ? ` and ${compileCondition(filter, builder)}` : ''}`;
}

// One row more than the page size: it implies a next link.
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
