import type { OrderTerm } from '../plan/read-plan.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';

/** `order by` from the terms and their SQL; OData sorts null lowest, PostgreSQL does not unless told. */
export function compileOrder(order: readonly OrderTerm[], compiled: readonly string[]): string {
  if (order.length === 0) return '';
  const terms = order.map(({ expression, descending }, index) => `${compiled[index]}${direction(expression, descending)}`);
  return ` order by ${terms.join(', ')}`;
}

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
