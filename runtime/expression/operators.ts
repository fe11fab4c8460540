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
