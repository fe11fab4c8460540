import type { BinaryOperator } from './ast.js';
import { operatorNamed } from './operators.js';

/** An example of each operator, for messages. */
const examples: { readonly [Operator in BinaryOperator]: string } = {
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
  if (operator !== undefined) return `, write for example ${examples[operator]}`;
  return word.toLowerCase() === 'not' ? `, write for example not (‹text› eq 'x')` : '';
}
