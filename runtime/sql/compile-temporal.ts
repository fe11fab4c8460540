import type { ArithmeticOperator, TypedExpr } from '../plan/typed-expr.js';

type Arithmetic = Extract<TypedExpr, { kind: 'arithmetic' }>;

// In seconds: what PostgreSQL's timestamps reach, and what every interval that is a sum can hold.
const ranges: { readonly [type: string]: string } = {
  'Edm.DateTimeOffset': 'between -210866803200 and 9224318015999',
  'Edm.Duration': 'between -9000000000000 and 9000000000000',
};

/**
 * Sums and differences of times. What a record's value makes leave the range is null, as a division by zero is, where
 * PostgreSQL would fail: that would tell of records that the caller does not see. One of literals alone fails for everybody.
 */
export function compileTemporal({ type, operator, left, right }: Arithmetic, a: string, b: string): string {
  const sign = signs[operator];
  const range = ranges[type];
  if (sign === undefined || range === undefined) throw new Error(`Times have no ${operator}.`);
  if (isFixed(left) && isFixed(right)) return `(${a} ${sign} ${b})`;
  const isDifference = type === 'Edm.Duration' && left.type === 'Edm.DateTimeOffset';
  if (isDifference) return `(${a} ${sign} ${b})`;
  return `(select case when extract(epoch from a) ${sign} extract(epoch from b) ${range} then a ${sign} b end from (select ${a} as a, ${b} as b offset 0) operands)`;
}

const signs: { readonly [Operator in ArithmeticOperator]?: string } = { add: '+', sub: '-' };

/** Whether a value is the same for every record; an index may then serve what it is compared with. */
function isFixed(expr: TypedExpr): boolean {
  if (expr.kind === 'literal') return true;
  if (expr.kind === 'call') return expr.arguments.every(isFixed);
  return expr.kind === 'arithmetic' && isFixed(expr.left) && isFixed(expr.right);
}
