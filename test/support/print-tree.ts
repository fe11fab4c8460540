import type { CommonExpr } from '../../runtime/expression/ast.js';
import { printExpr } from '../../runtime/expression/print.js';

/** The tree as nested lists, operator first: `(eq (add DaysOnMarket 10) 100)`. */
export function printTree(expr: CommonExpr): string {
  switch (expr.kind) {
    case 'unary':
      return list(expr.operator, printTree(expr.operand));
    case 'binary':
      return list(expr.operator, printTree(expr.left), printTree(expr.right));
    case 'methodCall':
      return list(expr.method, ...expr.arguments.map(printTree));
    case 'lambda':
      return list(
        expr.operator,
        printTree(expr.source),
        ...(expr.variable === undefined ? [] : [expr.variable]),
        ...(expr.predicate === undefined ? [] : [printTree(expr.predicate)]),
      );
    case 'list':
    case 'array':
      return `[${expr.items.map(printTree).join(' ')}]`;
    case 'object':
      return `{${expr.members.map(({ name, value }) => `${name}: ${printTree(value)}`).join(', ')}}`;
    case 'case':
      return list('case', ...expr.branches.map(({ condition, value }) => list(printTree(condition), printTree(value))));
    default:
      return printExpr(expr);
  }
}

function list(...items: readonly string[]): string {
  return `(${items.join(' ')})`;
}
