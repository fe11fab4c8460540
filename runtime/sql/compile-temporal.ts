import type { ArithmeticOperator, TypedExpr } from '../plan/typed-expr.js';

type Arithmetic = Extract<TypedExpr, { kind: 'arithmetic' }>;

// In seconds: what PostgreSQL's timestamps reach, and what every interval that is a sum can hold.
const ranges: { readonly [type: string]: string } = {
  'Edm.Date': 'between -210866803200 and 9224318015999',
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
  if (type === 'Edm.Duration' && left.type === 'Edm.Date') return `(${a}::timestamp ${sign} ${b}::timestamp)`;
  // A day is its first moment, and what is left of another one is cut off.
  const day = type === 'Edm.Date' ? '::date' : '';
  const sum = (first: string, second: string): string =>
    left.type === 'Edm.Duration' ? evenly(`${first} ${sign} ${second}`) : `(${first} ${sign} ${second})${day}`;
  if (isFixed(left) && isFixed(right)) return sum(a, b);
  const isDifference = type === 'Edm.Duration' && left.type === 'Edm.DateTimeOffset';
  if (isDifference) return `(${a} ${sign} ${b})`;
  return `(select case when extract(epoch from a) ${sign} extract(epoch from b) ${range} then ${sum('a', 'b')} end from (select ${a} as a, ${b} as b offset 0) operands)`;
}

/** A duration times or by a number, which is null where it leaves the range, and by zero. */
export function compileScaled(operator: ArithmeticOperator, span: string, number: string): string {
  const seconds = operator === 'mul' ? `extract(epoch from ${span}) * ${number}` : `extract(epoch from ${span}) / nullif(${number}, 0)`;
  return `(select case when s ${ranges['Edm.Duration']} then ${evenly('make_interval(secs => s::double precision)')} end from (select ${seconds} as s offset 0) scaled)`;
}

// Days and hours of one sign, as a duration is written: an hour less a day is -23 hours, and to PostgreSQL -1 days and 1 hour.
function evenly(span: string): string {
  return `justify_hours(${span})`;
}

const signs: { readonly [Operator in ArithmeticOperator]?: string } = { add: '+', sub: '-' };

/** Whether a value is the same for every record; an index may then serve what it is compared with. */
function isFixed(expr: TypedExpr): boolean {
  if (expr.kind === 'literal') return true;
  if (expr.kind === 'call') return expr.arguments.every(isFixed);
  return expr.kind === 'arithmetic' && isFixed(expr.left) && isFixed(expr.right);
}
