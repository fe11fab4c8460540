import type { CommonExpr, CountOptions, MemberExpr, Parentheses, PathSegment, SearchExpr } from './ast.js';
import { unreachable } from '../errors/unreachable.js';

type PrintExpr = (expr: CommonExpr) => string;

/** A path as OData text, with its parentheses. */
export function printPath({ base, path }: MemberExpr, print: PrintExpr): string {
  const segments = path.map((segment) => printSegment(segment, print));
  return [...(base ? [print(base)] : []), ...segments].join('/');
}

/** A search as OData text; parsing it gives the tree again. */
export function printSearch(search: SearchExpr): string {
  switch (search.kind) {
    case 'term':
      return search.phrase ? `"${search.text.replace(/["\\]/g, '\\$&')}"` : search.text;
    case 'not':
      return `NOT ${printSearchOperand(search.operand)}`;
    case 'and':
    case 'or':
      return search.operands.map(printSearchOperand).join(` ${search.kind.toUpperCase()} `);
    default:
      return unreachable(search);
  }
}

function printSearchOperand(search: SearchExpr): string {
  return search.kind === 'and' || search.kind === 'or' ? `(${printSearch(search)})` : printSearch(search);
}

function printSegment({ name, parentheses, resultKey, options, filter }: PathSegment, print: PrintExpr): string {
  const inner = [parentheses, resultKey].flatMap((each) => (each ? [printParentheses(each, print)] : []));
  return `${name}${inner.join('')}${options ? printCountOptions(options, print) : ''}${filter ? `(${print(filter)})` : ''}`;
}

function printParentheses(parentheses: Parentheses, print: PrintExpr): string {
  if (parentheses.kind === 'single') return `(${print(parentheses.value)})`;
  return `(${parentheses.values.map(({ name, value }) => `${name}=${print(value)}`).join(',')})`;
}

function printCountOptions({ filter, search }: CountOptions, print: PrintExpr): string {
  const options = [...(filter ? [`$filter=${print(filter)}`] : []), ...(search ? [`$search=${printSearch(search)}`] : [])];
  return `(${options.join(';')})`;
}
