import type { OrderTerm } from '../plan/read-plan.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';

/** `order by` from terms and their SQL; OData sorts null lowest, PostgreSQL by default highest. */
export function compileOrder(order: readonly OrderTerm[], compiled: readonly string[]): string {
  const terms = order.flatMap(({ expression, descending }, index) => {
    const sql = compiled[index] ?? '';
    return constants.has(sql) ? [] : [`${sql}${direction(expression, descending)}`];
  });
  return terms.length === 0 ? '' : ` order by ${terms.join(', ')}`;
}

// A constant orders nothing, and PostgreSQL reads a bare one as a column number.
const constants: ReadonlySet<string> = new Set(['true', 'false', 'null']);

// Added only for nullable terms, so that a plain index serves the others.
function direction({ nullable }: TypedExpr, descending: boolean): string {
  if (!nullable) return descending ? ' desc' : '';
  return descending ? ' desc nulls last' : ' nulls first';
}

/** `limit` and `offset`, as far as given. */
export function compileWindow(limit: number | undefined, offset: number | undefined, builder: StatementBuilder): string {
  const parts = [
    ...(limit === undefined ? [] : [` limit ${builder.bind(String(limit), 'bigint')}`]),
    ...(offset === undefined ? [] : [` offset ${builder.bind(String(offset), 'bigint')}`]),
  ];
  return parts.join('');
}
