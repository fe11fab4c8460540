import type { BinaryOperator } from './ast.js';

/** Binds tighter than every operator but `has` and `in` (URL conventions 5.1.1.17). */
export const unaryPrecedence = 7;

/** The precedence of each binary operator (URL conventions 5.1.1.17); a new operator is a row here. */
export const precedences: { readonly [Operator in BinaryOperator]: number } = {
  or: 1,
  and: 2,
  eq: 3,
  ne: 3,
  gt: 4,
  ge: 4,
  lt: 4,
  le: 4,
  add: 5,
  sub: 5,
  mul: 6,
  div: 6,
  divby: 6,
  mod: 6,
  has: 8,
  in: 8,
};

const operators: ReadonlyMap<string, BinaryOperator> = new Map(
  // Object.keys loses the literal types of the table.
  (Object.keys(precedences) as BinaryOperator[]).map((name) => [name, name]),
);

/** The operator with the name, in any case (protocol 4.01, 11.2.6.1.1). */
export function operatorNamed(word: string): BinaryOperator | undefined {
  return operators.get(word.toLowerCase());
}

/** An example of each operator, with marks in place of names (`errors/sample-names.ts`). */
export const operatorExamples: { readonly [Operator in BinaryOperator]: string } = {
  or: `‹text› eq 'x' or ‹text› eq 'y'`,
  and: `‹text› eq 'x' and ‹number› gt 1`,
  eq: `‹text› eq 'x'`,
  ne: `‹text› ne 'x'`,
  gt: '‹number› gt 1',
  ge: '‹number› ge 1',
  lt: '‹number› lt 1',
  le: '‹number› le 1',
  add: '‹number› add 1 gt 2',
  sub: '‹number› sub 1 gt 2',
  mul: '‹number› mul 2 gt 3',
  div: '‹number› div 2 gt 3',
  divby: '‹number› divby 2 gt 3',
  mod: '‹number› mod 2 eq 0',
  has: `‹flags› has 'x'`,
  in: `‹text› in ('x','y')`,
};

/** An example for an operator that lacks an operand, as the end of a message; empty for other words. */
export function exampleOf(word: string): string {
  const operator = operatorNamed(word);
  if (operator !== undefined) return `, write for example ${operatorExamples[operator]}`;
  return word.toLowerCase() === 'not' ? `, write for example not (‹text› eq 'x')` : '';
}
