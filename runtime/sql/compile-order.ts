import type { OrderTerm } from '../plan/read-plan.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';

/** `order by` from the terms and their SQL; OData sorts null lowest, PostgreSQL does not unless told. */
export function compileOrder(order: readonly OrderTerm[], compiled: readonly string[]): string {
  const terms = order.flatMap(({ expression, descending }, index) => {
    const sql = compiled[index] ?? '';
    return constants.has(sql) ? [] : [`${sql}${direction(expression, descending)}`];
  });
  return terms.length === 0 ? '' : ` order by ${terms.join(', ')}`;
}

// What is the same for every record orders nothing, and PostgreSQL takes a bare constant for the number of a column.
const constants: ReadonlySet<string> = new Set(['true', 'false', 'null']);

// Told only where a null can be, so that a plain index serves the order.
function direction({ nullable }: TypedExpr, descending: boolean): string {
  if (!nullable) return descending ? ' desc' : '';
  return descending ? ' desc nulls last' : ' nulls first';
}

/** `limit` and `offset`, where there are any. */
export function compileWindow(limit: number | undefined, offset: number | undefined, builder: StatementBuilder): string {
  const parts = [
    ...(limit === undefined ? [] : [` limit ${builder.bind(String(limit), 'bigint')}`]),
    ...(offset === undefined ? [] : [` offset ${builder.bind(String(offset), 'bigint')}`]),
  ];
  return parts.join('');
}
