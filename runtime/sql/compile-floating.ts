import type { ArithmeticOperator } from '../plan/typed-expr.js';

/**
 * Arithmetic in double precision. What leaves the range is infinite or zero, as IEEE 754 has it and OData with it
 * (URL conventions 5.1.1.2), and so is what is divided by zero; PostgreSQL would fail.
 */
export function compileFloating(operator: Exclude<ArithmeticOperator, 'mod'>, a: string, b: string): string {
  return named(floating[operator], `${a} as a, ${b} as b`);
}

/** A floating number as the decimal that it is written as: PostgreSQL's own cast keeps fifteen digits only. */
export function decimalOf(value: string): string {
  return `(${value})::text::numeric`;
}

const infinite = "'Infinity'::double precision";
const largest = '1.7976931348623157e308';

// Half the sum is finite always, and reaches half the bound of the range exactly when the sum would pass it.
const sum = (sign: '+' | '-'): string =>
  `case when abs(a) < 8e307 and abs(b) < 8e307 or least(abs(a), abs(b)) < 1 then a ${sign} b ` +
  `when abs(a * 0.5::float8 ${sign} b * 0.5::float8) >= power(2::float8, 1023) then sign(a * 0.5::float8 ${sign} b * 0.5::float8) * ${infinite} else a ${sign} b end`;

// Between the bounds no product and no quotient leaves the range; beyond them the exact one decides.
const moderate = 'abs(a) between 1e-150 and 1e150 and abs(b) between 1e-150 and 1e150';
const exact = (sign: '*' | '/'): string =>
  `case when ${moderate} then a ${sign} b else (select ` +
  `case when abs(e) > ${largest} then sign(e)::float8 * ${infinite} when abs(e) < 2.4703282292062328e-324 then 0 ` +
  `when abs(e) between 1e-322 and 1e308 then a ${sign} b else e::float8 end ` +
  `from (select ${decimalOf('a')} ${sign} ${decimalOf('b')} as e offset 0) exact) end`;

// A zero has no sign in OData: what is positive becomes INF, and zero itself no number (URL conventions 5.1.1.2.5).
const quotient = `case when b = 0 then case when a = 0 or a = 'NaN' then 'NaN'::float8 else sign(a) * ${infinite} end else ${exact('/')} end`;

const floating: { readonly [Operator in Exclude<ArithmeticOperator, 'mod'>]: string } = {
  add: sum('+'),
  sub: sum('-'),
  mul: exact('*'),
  div: quotient,
  divby: quotient,
};

// `offset 0` keeps PostgreSQL from writing the operands out in every place: nested sums would grow without bound.
function named(expression: string, operands: string): string {
  return `(select ${expression} from (select ${operands} offset 0) operands)`;
}
