import { isFloating, own, primitives } from '../edm/index.js';
import type { ArithmeticOperator, TypedExpr } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';
import { compileValue } from './compile-expr.js';

type Arithmetic = Extract<TypedExpr, { kind: 'arithmetic' }>;

/** Arithmetic on numbers, times and durations. */
export function compileArithmetic(expr: Arithmetic, builder: StatementBuilder): string {
  const { type, operator, left, right } = expr;
  if (ranges[type] !== undefined && signs[operator] !== undefined) return compileTemporal(expr, builder);
  if (type === 'Edm.Duration') return compileScaled(expr, builder);
  const isFloatingResult = type === 'Edm.Double' && operator !== 'mod';
  const [a = '', b = ''] = [left, right].map((side) => compileNumber(side, isFloatingResult ? 'double precision' : 'numeric', builder));
  // `offset 0` keeps PostgreSQL from inlining the operands at every use: nested sums would grow exponentially.
  if (isFloatingResult) return `(select ${floating[operator]} from (select ${a} as a, ${b} as b offset 0) operands)`;
  return arithmetic[operator](a, b, type === 'Edm.Int64');
}

/** The negation of a number or a duration. */
export function compileNegative({ operand, type }: Extract<TypedExpr, { kind: 'negate' }>, builder: StatementBuilder): string {
  if (type === 'Edm.Duration') return `(-${compileValue(operand, builder)})`;
  // Numeric, like all integer arithmetic: the lowest integer has no negation among integers.
  return `(-${compileNumber(operand, type === 'Edm.Double' ? 'double precision' : 'numeric', builder)})`;
}

/** A number in the type of the calculation. */
export function compileNumber(expr: TypedExpr, sqlType: string, builder: StatementBuilder): string {
  if (expr.kind === 'literal') return builder.bindValueOf(expr, sqlType);
  const value = compileValue(expr, builder);
  if (sqlType === 'numeric' && isFloating(expr.type)) return decimalOf(value);
  // Integer arithmetic is numeric already.
  return own(primitives, expr.type)?.sql === sqlType && expr.kind !== 'call' ? value : `${value}::${sqlType}`;
}

/** A floating number as the decimal that it prints as: PostgreSQL's cast keeps only fifteen digits. */
export function decimalOf(value: string): string {
  return `(${value})::text::numeric`;
}

/** Numeric arithmetic does not overflow; a zero divisor gives null. */
const arithmetic: { readonly [Operator in ArithmeticOperator]: (a: string, b: string, whole: boolean) => string } = {
  add: (a, b) => `(${a} + ${b})`,
  sub: (a, b) => `(${a} - ${b})`,
  mul: (a, b) => `(${a} * ${b})`,
  // Division of whole numbers truncates (URL conventions 5.1.1.2.4); a quotient rounded before could be one too large.
  div: (a, b, whole) => (whole ? `div(${a}, nullif(${b}, 0))` : `(${a} / nullif(${b}, 0))`),
  divby: (a, b) => `(${a} / nullif(${b}, 0))`,
  mod: (a, b) => `mod(${a}, nullif(${b}, 0))`,
};

const infinite = "'Infinity'::double precision";
const largest = '1.7976931348623157e308';

// Half the sum is always finite, and exceeds half of the range exactly when the sum exceeds the range.
const sum = (sign: '+' | '-'): string =>
  `case when abs(a) < 8e307 and abs(b) < 8e307 or least(abs(a), abs(b)) < 1 then a ${sign} b ` +
  `when abs(a * 0.5::float8 ${sign} b * 0.5::float8) >= power(2::float8, 1023) then sign(a * 0.5::float8 ${sign} b * 0.5::float8) * ${infinite} else a ${sign} b end`;

// Within the bounds no product or quotient leaves the range; beyond them the exact calculation decides.
const moderate = 'abs(a) between 1e-150 and 1e150 and abs(b) between 1e-150 and 1e150';
const exact = (sign: '*' | '/'): string =>
  `case when ${moderate} then a ${sign} b else (select ` +
  `case when abs(e) > ${largest} then sign(e)::float8 * ${infinite} when abs(e) < 2.4703282292062328e-324 then 0 ` +
  `when abs(e) between 1e-322 and 1e308 then a ${sign} b else e::float8 end ` +
  `from (select ${decimalOf('a')} ${sign} ${decimalOf('b')} as e offset 0) exact) end`;

// Zero has no sign in OData: a positive dividend gives INF, zero gives NaN (URL conventions 5.1.1.2.5).
const quotient = `case when b = 0 then case when a = 0 or a = 'NaN' then 'NaN'::float8 else sign(a) * ${infinite} end else ${exact('/')} end`;

/**
 * Arithmetic in double precision, with the operands `a` and `b`. Overflow is infinite, underflow zero and division by
 * zero infinite, as in IEEE 754 and OData (URL conventions 5.1.1.2); PostgreSQL would fail.
 */
const floating: { readonly [Operator in Exclude<ArithmeticOperator, 'mod'>]: string } = {
  add: sum('+'),
  sub: sum('-'),
  mul: exact('*'),
  div: quotient,
  divby: quotient,
};

const signs: { readonly [Operator in ArithmeticOperator]?: string } = { add: '+', sub: '-' };

// In seconds: from the year 1 to PostgreSQL's last timestamp, and the range of every interval sum.
const ranges: { readonly [type: string]: string } = {
  'Edm.Date': 'between -62135596800 and 9224318015999',
  'Edm.DateTimeOffset': 'between -62135596800 and 9224318015999',
  'Edm.Duration': 'between -9000000000000 and 9000000000000',
};

/** The last values before the year 1. */
const beforeYear1: { readonly [type: string]: string | undefined } = {
  'Edm.Date': `'0001-12-31 BC'::date`,
  'Edm.DateTimeOffset': `'0001-12-31 23:59:59.999999+00 BC'::timestamptz`,
};

// Null for a sum before the year 1. The sum occurs once, since sums nest, and PostgreSQL estimates its value for indexes.
function fromYear1(sum: string, type: string): string {
  const last = beforeYear1[type];
  return last === undefined ? sum : `nullif(greatest(${sum}, ${last}), ${last})`;
}

// Sums and differences of times. A result outside of the range is null, as in a division by zero, where PostgreSQL would
// fail: the failure would reveal hidden rows. With literals alone it fails for everybody.
function compileTemporal({ type, operator, left, right }: Arithmetic, builder: StatementBuilder): string {
  const [a, b] = [compileValue(left, builder), compileValue(right, builder)];
  const sign = signs[operator];
  if (type === 'Edm.Duration' && left.type === 'Edm.Date') return `(${a}::timestamp ${sign} ${b}::timestamp)`;
  // A day is its first moment; a fraction of a day is cut off.
  const day = type === 'Edm.Date' ? '::date' : '';
  const sum = (first: string, second: string): string =>
    left.type === 'Edm.Duration' ? evenly(`${first} ${sign} ${second}`) : `(${first} ${sign} ${second})${day}`;
  if (isFixed(left) && isFixed(right)) return fromYear1(sum(a, b), type);
  if (type === 'Edm.Duration' && left.type === 'Edm.DateTimeOffset') return `(${a} ${sign} ${b})`;
  return `(select case when extract(epoch from a) ${sign} extract(epoch from b) ${ranges[type]} then ${sum('a', 'b')} end from (select ${a} as a, ${b} as b offset 0) operands)`;
}

// The product or quotient of a duration and a number; null outside of the range, and for a division by zero. The factor is
// numeric, so that none is too large.
function compileScaled({ operator, left, right }: Arithmetic, builder: StatementBuilder): string {
  const [span, factor] = left.type === 'Edm.Duration' ? [left, right] : [right, left];
  const [epoch, number] = [`extract(epoch from ${compileValue(span, builder)})`, compileNumber(factor, 'numeric', builder)];
  const seconds = operator === 'mul' ? `${epoch} * ${number}` : `${epoch} / nullif(${number}, 0)`;
  return `(select case when s ${ranges['Edm.Duration']} then ${evenly('make_interval(secs => s::double precision)')} end from (select ${seconds} as s offset 0) scaled)`;
}

// Days and hours get one sign, as in a duration's text: an hour minus a day is -23 hours, in PostgreSQL -1 days and 1 hour.
function evenly(span: string): string {
  return `justify_hours(${span})`;
}

// Whether a value is the same for every row, so that an index may apply to the other side.
function isFixed(expr: TypedExpr): boolean {
  if (expr.kind === 'literal') return true;
  if (expr.kind === 'call') return expr.arguments.every(isFixed);
  return expr.kind === 'arithmetic' && isFixed(expr.left) && isFixed(expr.right);
}
