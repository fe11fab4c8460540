import type { ArithmeticOperator } from '../plan/typed-expr.js';

/**
 * Arithmetic in double precision. Overflow is infinite, underflow zero and division by zero infinite, as in IEEE 754
 * and OData (URL conventions 5.1.1.2); PostgreSQL would fail.
 */
export function compileFloating(operator: Exclude<ArithmeticOperator, 'mod'>, a: string, b: string): string {
  return named(floating[operator], `${a} as a, ${b} as b`);
}

/** A floating number as the decimal that it prints as: PostgreSQL's cast keeps only fifteen digits. */
export function decimalOf(value: string): string {
  return `(${value})::text::numeric`;
}

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

const floating: { readonly [Operator in Exclude<ArithmeticOperator, 'mod'>]: string } = {
  add: sum('+'),
  sub: sum('-'),
  mul: exact('*'),
  div: quotient,
  divby: quotient,
};

// `offset 0` keeps PostgreSQL from inlining the operands at every use: nested sums would grow exponentially.
function named(expression: string, operands: string): string {
  return `(select ${expression} from (select ${operands} offset 0) operands)`;
}
