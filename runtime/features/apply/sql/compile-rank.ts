import type { RankStep } from '../../../plan/apply-plan.js';
import { columnReference, identifier, type StatementBuilder } from '../../../sql/builder.js';
import { compileFloat } from './compile-aggregate.js';
import { compileNumber } from '../../../sql/compile-arithmetic.js';
import { compileValue } from '../../../sql/compile-expr.js';
import { compileOrder } from '../../../sql/compile-clauses.js';

/** Adds a column that is true for the rows to keep. */
export function compileRank(step: RankStep, input: string, builder: StatementBuilder): string {
  const { alias, column } = step;
  const [source, kept] = step.measure === 'first' ? [input, compileNumbered(step, builder)] : compileSummed(step, input, builder);
  return `select ${alias}.*, ${kept} as ${identifier(column)} from ${source} ${alias}`;
}

function compileNumbered(step: RankStep, builder: StatementBuilder): string {
  return `(row_number() over (${compileOrdered(step, builder)}) <= ${compileNumber(step.amount, 'numeric', builder)})`;
}

// Rows are taken until their sum reaches the amount, and none after that: with negative numbers the sums may fall below
// it again (Data Aggregation 3.3.1).
function compileSummed(step: RankStep, input: string, builder: StatementBuilder): readonly [source: string, kept: string] {
  const { alias, column, measure, amount } = step;
  const [before, total] = [`${column}.s`, `${column}.t`];
  const sums = [
    `coalesce(sum(${compileSummand(step, builder)}) over (${compileOrdered(step, builder)} rows between unbounded preceding and 1 preceding), 0) as ${identifier(before)}`,
    `sum(${compileSummand(step, builder)}) over () as ${identifier(total)}`,
  ];
  const source = `(select ${alias}.*, ${sums.join(', ')} from ${input} ${alias})`;
  const [taken, all] = [columnReference(alias, before), columnReference(alias, total)];
  const most = (sum: string): string => `max(${sum}) over (${compileOrdered(step, builder)})`;
  const limit = compileNumber(amount, 'numeric', builder);
  if (measure === 'sum') return [source, `(${most(taken)} < ${limit})`];
  // A share of a negative whole grows as its sum falls; of nothing there is none.
  return [source, `((${all} <> 0 and ${most(`${taken} * sign(${all})`)} * 100 >= abs(${all}) * ${limit}) is not true)`];
}

function compileSummand({ value }: RankStep, builder: StatementBuilder): string {
  return value === undefined ? '0' : compileFloat(value, builder);
}

function compileOrdered(step: RankStep, builder: StatementBuilder): string {
  return `${compileOrder(
    step.order,
    step.order.map(({ expression }) => compileValue(expression, builder)),
  )}`;
}
