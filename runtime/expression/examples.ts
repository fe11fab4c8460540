import type { BinaryOperator } from './ast.js';
import { operatorNamed } from './operators.js';

/** An example of each operator, for messages. */
const examples: { readonly [Operator in BinaryOperator]: string } = {
  or: `City eq 'x' or City eq 'y'`,
  and: `City eq 'x' and ListPrice gt 1`,
  eq: `City eq 'x'`,
  ne: `City ne 'x'`,
  gt: 'ListPrice gt 1',
  ge: 'ListPrice ge 1',
  lt: 'ListPrice lt 1',
  le: 'ListPrice le 1',
  add: 'ListPrice add 1 gt 2',
  sub: 'ListPrice sub 1 gt 2',
  mul: 'ListPrice mul 2 gt 3',
  div: 'ListPrice div 2 gt 3',
  divby: 'ListPrice divby 2 gt 3',
  mod: 'ListPrice mod 2 eq 0',
  has: `Features has 'x'`,
  in: `City in ('x','y')`,
};

/** An example for an operator that lacks an operand, as the end of a message; empty for other words. */
export function exampleOf(word: string): string {
  const operator = operatorNamed(word);
  if (operator !== undefined) return `, write for example ${examples[operator]}`;
  return word.toLowerCase() === 'not' ? `, write for example not (City eq 'x')` : '';
}
