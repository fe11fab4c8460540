import type { ArithmeticOperator, TypedExpr } from '../plan/typed-expr.js';

type Arithmetic = Extract<TypedExpr, { kind: 'arithmetic' }>;

// In seconds: the range of PostgreSQL's timestamps, and that of every interval sum.
const ranges: { readonly [type: string]: string } = {
  'Edm.Date': 'between -210866803200 and 9224318015999',
  'Edm.DateTimeOffset': 'between -210866803200 and 9224318015999',
  'Edm.Duration': 'between -9000000000000 and 9000000000000',
};

/**
 * Sums and differences of times. A result outside of the range is null, as in a division by zero, where PostgreSQL
 * would fail: the failure would reveal hidden rows. With literals alone it fails for everybody.
 */
export function compileTemporal({ type, operator, left, right }: Arithmetic, a: string, b: string): string {
  const sign = signs[operator];
  const range = ranges[type];
  if (sign === undefined || range === undefined) throw new Error(`Times have no ${operator}.`);
  if (type === 'Edm.Duration' && left.type === 'Edm.Date') return `(${a}::timestamp ${sign} ${b}::timestamp)`;
  // A day is its first moment; a fraction of a day is cut off.
  const day = type === 'Edm.Date' ? '::date' : '';
  const sum = (first: string, second: string): string =>
    left.type === 'Edm.Duration' ? evenly(`${first} ${sign} ${second}`) : `(${first} ${sign} ${second})${day}`;
  if (isFixed(left) && isFixed(right)) return sum(a, b);
  const isDifference = type === 'Edm.Duration' && left.type === 'Edm.DateTimeOffset';
  if (isDifference) return `(${a} ${sign} ${b})`;
  return `(select case when extract(epoch from a) ${sign} extract(epoch from b) ${range} then ${sum('a', 'b')} end from (select ${a} as a, ${b} as b offset 0) operands)`;
}

/** The product or quotient of a duration and a number; null outside of the range, and for a division by zero. */
export function compileScaled(operator: ArithmeticOperator, span: string, number: string): string {
  const seconds = operator === 'mul' ? `extract(epoch from ${span}) * ${number}` : `extract(epoch from ${span}) / nullif(${number}, 0)`;
  return `(select case when s ${ranges['Edm.Duration']} then ${evenly('make_interval(secs => s::double precision)')} end from (select ${seconds} as s offset 0) scaled)`;
}

// Days and hours get one sign, as in a duration's text: an hour minus a day is -23 hours, in PostgreSQL -1 days and 1
// hour.
function evenly(span: string): string {
  return `justify_hours(${span})`;
}

const signs: { readonly [Operator in ArithmeticOperator]?: string } = { add: '+', sub: '-' };

/** Whether a value is the same for every row, so that an index may apply to the other side. */
function isFixed(expr: TypedExpr): boolean {
  if (expr.kind === 'literal') return true;
  if (expr.kind === 'call') return expr.arguments.every(isFixed);
  return expr.kind === 'arithmetic' && isFixed(expr.left) && isFixed(expr.right);
}
