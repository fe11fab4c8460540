import { expressionHooks } from './hooks.js';
import type { CommonExpr, CountOptions, LambdaExpr, LiteralExpr, MemberExpr, Parentheses, PathSegment, UnaryExpr } from './ast.js';
import { precedences, unaryPrecedence } from './operators.js';

/** The tree as OData text with as few parentheses as possible; parsing it gives the tree again. */
export function printExpr(expr: CommonExpr): string {
  switch (expr.kind) {
    case 'literal':
      return printLiteral(expr);
    case 'member':
      return printPath(expr, printExpr);
    case 'unary':
      return printUnary(expr);
    case 'binary':
      return `${enclosed(expr.left, precedences[expr.operator])} ${expr.operator} ${enclosed(expr.right, precedences[expr.operator] + 1)}`;
    case 'methodCall':
      return `${expr.method}(${expr.arguments.map(printExpr).join(',')})`;
    case 'lambda':
      return printLambda(expr);
    case 'list':
      return `(${expr.items.map(printExpr).join(',')})`;
    case 'type':
    case 'alias':
      return expr.name;
    case 'enum':
      return `${expr.type}'${expr.value}'`;
    case 'array':
      return `[${expr.items.map(printExpr).join(',')}]`;
    case 'object':
      return `{${expr.members.map(({ name, value }) => `${JSON.stringify(name)}:${printExpr(value)}`).join(',')}}`;
    case 'case':
      return `case(${expr.branches.map(({ condition, value }) => `${printExpr(condition)} : ${printExpr(value)}`).join(',')})`;
  }
}

const prefixes: { readonly [Type in LiteralExpr['type']]?: string } = {
  'Edm.String': '',
  'Edm.Duration': 'duration',
  'Edm.Binary': 'binary',
  'Edm.Geography': 'geography',
  'Edm.Geometry': 'geometry',
};

function printLiteral({ type, value }: LiteralExpr): string {
  const prefix = prefixes[type];
  return prefix === undefined ? value : `${prefix}'${value.replaceAll(`'`, `''`)}'`;
}

// A sign directly before a number would become part of the number, so the operand is enclosed.
function printUnary({ operator, operand }: UnaryExpr): string {
  const text = enclosed(operand, unaryPrecedence);
  if (operator === 'not') return `not ${text}`;
  return /^(?:[-+\d]|INF)/.test(text) ? `-(${text})` : `-${text}`;
}

function enclosed(expr: CommonExpr, lowest: number): string {
  const text = printExpr(expr);
  return precedenceOf(expr) < lowest ? `(${text})` : text;
}

function precedenceOf(expr: CommonExpr): number {
  if (expr.kind === 'binary') return precedences[expr.operator];
  return expr.kind === 'unary' ? unaryPrecedence : Infinity;
}

function printLambda({ operator, source, variable, predicate }: LambdaExpr): string {
  const inner = variable === undefined || predicate === undefined ? '' : `${variable}:${printExpr(predicate)}`;
  return `${printPath(source, printExpr)}/${operator}(${inner})`;
}

type PrintExpr = (expr: CommonExpr) => string;

/** A path as OData text, with its parentheses. */
export function printPath({ base, path }: MemberExpr, print: PrintExpr): string {
  const segments = path.map((segment) => printSegment(segment, print));
  return [...(base ? [print(base)] : []), ...segments].join('/');
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
  const options = [
    ...(filter ? [`$filter=${print(filter)}`] : []),
    ...(search ? [`$search=${expressionHooks.get('search').print(search)}`] : []),
  ];
  return `(${options.join(';')})`;
}
