import { temporalText } from './calendar.js';
import type { DynamicType } from './dynamic.js';
import { boxLiteral, placeLiteral, type Box } from './places.js';
import { decimalText, isNum, isTemporal, type TypeName, type Value } from './values.js';

/** A well-typed expression; the generator makes it, `printExpression` writes it, `evaluate` carries it out. */
export type Expression =
  | { readonly kind: 'literal'; readonly type: TypeName; readonly value: Value }
  | { readonly kind: 'path'; readonly path: readonly string[] }
  | { readonly kind: 'unary'; readonly operator: 'not' | '-'; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'in'; readonly operand: Expression; readonly items: readonly Expression[] }
  | { readonly kind: 'call'; readonly method: string; readonly arguments: readonly Expression[] }
  | { readonly kind: 'cast'; readonly operand: Expression; readonly to: string }
  | { readonly kind: 'case'; readonly branches: readonly Branch[] }
  | { readonly kind: 'tuple'; readonly operands: readonly Expression[]; readonly rows: readonly (readonly Expression[])[] }
  | { readonly kind: 'collections'; readonly operator: 'eq' | 'ne' | 'hassubset'; readonly left: Items; readonly right: Items }
  | { readonly kind: 'count'; readonly path: readonly string[]; readonly predicate: Expression }
  | {
      readonly kind: 'items';
      readonly method: string;
      readonly path: readonly string[];
      readonly type: TypeName;
      readonly items: readonly NonNullable<Value>[];
    }
  | { readonly kind: 'dynamic'; readonly path: readonly string[]; readonly type: DynamicType }
  | { readonly kind: 'near'; readonly path: readonly string[]; readonly place: string; readonly operator: string; readonly metres: number }
  | { readonly kind: 'inside'; readonly path: readonly string[]; readonly box: Box }
  | { readonly kind: 'flags'; readonly path: readonly string[]; readonly operator: string; readonly value: number }
  | {
      readonly kind: 'lambda';
      readonly operator: 'any' | 'all';
      readonly path: readonly string[];
      readonly variable: string;
      readonly predicate?: Expression;
    };

/** How the values of all members become one. */
export type Method = 'sum' | 'min' | 'max' | 'average' | 'countdistinct';

/** A collection: a property's, or an array of values. */
export type Items = readonly Expression[] | { readonly path: readonly string[] };

/** A value, and the condition under which a `case` has it. */
export interface Branch {
  readonly condition: Expression;
  readonly value: Expression;
}

/** The expression as `$filter` takes it; every operand of an operator in parentheses, but for leaves. */
export function printExpression(expr: Expression): string {
  switch (expr.kind) {
    case 'literal':
      return printLiteral(expr.type, expr.value);
    case 'path':
      return expr.path.join('/');
    case 'unary':
      return expr.operator === 'not' ? `not ${printOperand(expr.operand)}` : `-${printOperand(expr.operand)}`;
    case 'binary':
      return `${printOperand(expr.left)} ${expr.operator} ${printOperand(expr.right)}`;
    case 'in':
      return `${printOperand(expr.operand)} in (${expr.items.map(printExpression).join(',')})`;
    case 'call':
      return `${expr.method}(${expr.arguments.map(printExpression).join(',')})`;
    case 'cast':
      return `cast(${printExpression(expr.operand)},${expr.to})`;
    case 'case':
      return `case(${expr.branches.map(({ condition, value }) => `${printExpression(condition)} : ${printExpression(value)}`).join(',')})`;
    case 'tuple':
      return `${array(expr.operands)} in [${expr.rows.map(array).join(',')}]`;
    case 'collections':
      return expr.operator === 'hassubset'
        ? `hassubset(${printItems(expr.left)},${printItems(expr.right)})`
        : `${printItems(expr.left)} ${expr.operator} ${printItems(expr.right)}`;
    case 'count':
      return `${expr.path.join('/')}/$count($filter=${printExpression(expr.predicate)})`;
    case 'items':
      return `${expr.method}(${expr.path.join('/')},[${expr.items.map((item) => (typeof item === 'string' ? JSON.stringify(item) : printLiteral(expr.type, item))).join(',')}])`;
    case 'dynamic':
      return expr.path.join('/');
    case 'near':
      return `geo.distance(${expr.path.join('/')},${placeLiteral(expr.place)}) ${expr.operator} ${expr.metres}`;
    case 'inside':
      return `geo.intersects(${expr.path.join('/')},${boxLiteral(expr.box)})`;
    case 'flags':
      return `${expr.path.join('/')} ${expr.operator} Differential.Color'${flagNames(expr.value)}'`;
    default:
      return `${expr.path.join('/')}/${expr.operator}(${expr.predicate === undefined ? '' : `${expr.variable}:${printExpression(expr.predicate)}`})`;
  }
}

// Zero has no name, and a number stands for itself.
function flagNames(value: number): string {
  return ['Red', 'Green', 'Blue'].filter((_, bit) => (value & (1 << bit)) !== 0).join(',') || '0';
}

function printItems(items: Items): string {
  return 'path' in items ? items.path.join('/') : array(items);
}

function array(items: readonly Expression[]): string {
  return `[${items.map(printExpression).join(',')}]`;
}

/** A value as a literal of its type. */
function printLiteral(type: TypeName, value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'boolean') return String(value);
  if (isTemporal(value)) return temporalText(value);
  return isNum(value) ? printNumber(type, decimalText(value)) : value.text;
}

// The form of a number says its type.
function printNumber(type: TypeName, text: string): string {
  if (type === 'double') return `${text}e0`;
  return type === 'decimal' && !text.includes('.') ? `${text}.0` : text;
}

const bareKinds: ReadonlySet<Expression['kind']> = new Set([
  'path',
  'dynamic',
  'inside',
  'call',
  'cast',
  'case',
  'count',
  'items',
  'lambda',
]);

// A negative number stands in parentheses too: `--1` is none.
function printOperand(expr: Expression): string {
  const text = printExpression(expr);
  const bare = bareKinds.has(expr.kind) || (expr.kind === 'literal' && !text.startsWith('-'));
  return bare ? text : `(${text})`;
}
