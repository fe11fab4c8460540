import { primitives, type PrimitiveTypeName } from '../edm/index.js';
import type { ArithmeticOperator, ComparisonOperator, TypedExpr } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';
import { compileBounds } from './compile-bounds.js';
import { compileCallOrArray, isTextOfRequest } from './compile-call.js';
import { compileCase } from './compile-case.js';
import { compileCast } from './compile-cast.js';
import { compileFloating, decimalOf } from './compile-floating.js';
import { compileLiteral, compileLiteralAs } from './compile-literal.js';
import { compileDynamic } from './compile-dynamic.js';
import { compileProperty } from './compile-path.js';
import { compileReached } from './compile-rows.js';
import { compileSearch } from './compile-search.js';
import { compileUnordered } from './compile-unordered.js';
import { compileScaled, compileTemporal } from './compile-temporal.js';

type Comparison = Extract<TypedExpr, { kind: 'comparison' }>;
type In = Extract<TypedExpr, { kind: 'in' }>;

/**
 * A condition in which null counts as false: a `where`, including its `and` and `or`. Comparisons stay plain here, so
 * that indexes apply.
 */
export function compileCondition(expr: TypedExpr, builder: StatementBuilder): string {
  switch (expr.kind) {
    case 'logical':
      return `(${compileCondition(expr.left, builder)} ${expr.operator} ${compileCondition(expr.right, builder)})`;
    case 'not':
      return compileNegation(expr.operand, builder);
    case 'comparison':
      return compileComparison(expr, builder);
    case 'in':
      return compileIn(expr, builder);
    default:
      return compileValue(expr, builder);
  }
}

// `not` is pushed inwards: OData's comparisons are never null, so a negation is true where SQL's would be unknown.
function compileNegation(expr: TypedExpr, builder: StatementBuilder): string {
  switch (expr.kind) {
    case 'not':
      return compileCondition(expr.operand, builder);
    case 'logical': {
      const operator = expr.operator === 'and' ? 'or' : 'and';
      return `(${compileNegation(expr.left, builder)} ${operator} ${compileNegation(expr.right, builder)})`;
    }
    case 'comparison':
      if (expr.operator === 'eq') return compileComparison({ ...expr, operator: 'ne' }, builder);
      if (expr.operator === 'ne') return compileComparison({ ...expr, operator: 'eq' }, builder);
      return `(${compileComparison(expr, builder)}) is not true`;
    case 'in':
      return `(${compileIn(expr, builder)}) is not true`;
    default:
      return `(not ${compileValue(expr, builder)})`;
  }
}

/** A value in OData's three-valued logic: comparisons are true or false, never null. */
export function compileValue(expr: TypedExpr, builder: StatementBuilder): string {
  switch (expr.kind) {
    case 'literal':
      return compileLiteral(expr, builder);
    case 'column':
    case 'path':
    case 'dynamic':
      return expr.kind === 'dynamic' ? compileDynamic(expr, builder) : compileProperty(expr, builder);
    case 'not':
    case 'negate':
      return compileUnary(expr, builder);
    case 'logical':
      return `(${compileValue(expr.left, builder)} ${expr.operator} ${compileValue(expr.right, builder)})`;
    case 'comparison':
    case 'in':
      return `((${compileCondition(expr, builder)}) is true)`;
    case 'arithmetic':
      return compileArithmetic(expr, builder);
    case 'call':
    case 'array':
    case 'computedArray':
      return compileCallOrArray(expr, builder);
    case 'case':
    case 'cast':
      return expr.kind === 'case' ? compileCase(expr, builder) : compileCast(expr, builder);
    case 'search':
      return compileSearch(expr, builder, (text) => compileValue(text, builder));
    case 'constant':
      return expr.value ? 'true' : 'false';
    default:
      return compileReached(expr, builder);
  }
}

function compileUnary({ kind, operand, type }: Extract<TypedExpr, { kind: 'not' | 'negate' }>, builder: StatementBuilder): string {
  if (kind === 'not') return `(not ${compileValue(operand, builder)})`;
  if (type === 'Edm.Duration') return `(-${compileValue(operand, builder)})`;
  // Numeric, like all integer arithmetic: the lowest integer has no negation among integers.
  return `(-${compileNumber(operand, type === 'Edm.Double' ? 'double precision' : 'numeric', builder)})`;
}

const signs: { readonly [Operator in ComparisonOperator]: string } = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' };

function compileComparison(comparison: Comparison, builder: StatementBuilder): string {
  const { operator, left, right } = comparison;
  if (isNull(left) && isNull(right)) return operator === 'eq' ? 'true' : 'false';
  if (isNull(left) || isNull(right)) return compileNullTest(operator, isNull(left) ? right : left, builder);
  const bounds = compileBounds(comparison, builder);
  if (bounds !== undefined) return bounds;
  const [a, b] = compilePair(left, right, builder);
  return compileUnordered(comparison, a, b, signOf(comparison));
}

// OData: null ne 'x' is true and null eq null is true, where SQL's result is unknown (URL conventions 5.1.1.1.1).
function signOf({ operator, left, right }: Comparison): (a: string, b: string) => string {
  if (operator === 'ne' && (left.nullable || right.nullable)) return (a, b) => `${a} is distinct from ${b}`;
  if (operator === 'eq' && left.nullable && right.nullable) return (a, b) => `${a} is not distinct from ${b}`;
  return (a, b) => `${a} ${signs[operator]} ${b}`;
}

function isNull(expr: TypedExpr): boolean {
  return expr.kind === 'literal' && expr.nullable;
}

function compileNullTest(operator: ComparisonOperator, operand: TypedExpr, builder: StatementBuilder): string {
  if (operator === 'eq') return `${compileValue(operand, builder)} is null`;
  if (operator === 'ne') return `${compileValue(operand, builder)} is not null`;
  return 'false'; // gt, ge, lt and le with null are false.
}

/** Both sides; a literal takes the type of the other side where it fits, so that an index on the column applies. */
function compilePair(left: TypedExpr, right: TypedExpr, builder: StatementBuilder): readonly [string, string] {
  const [a, b] = [compileComparable(left, right, builder), compileComparable(right, left, builder)];
  // Text compares by code point, as with a column.
  return isTextOfRequest(left) && isTextOfRequest(right) ? [`(${a} collate "C")`, b] : [a, b];
}

function compileComparable(expr: TypedExpr, other: TypedExpr, builder: StatementBuilder): string {
  if (expr.kind !== 'literal' || other.type === 'null' || other.type === 'polygon' || other.type === 'line')
    return compileValue(expr, builder);
  return compileLiteralAs(expr, other.type, builder);
}

// The operand occurs once, since it may contain such conditions: written twice it would double with every level.
function compileIn(expr: In, builder: StatementBuilder): string {
  if (expr.values.length === 0 && !expr.withNull) return 'false'; // Compiling the operand would bind unused parameters.
  const operand = compileValue(expr.operand, builder);
  if (expr.values.length === 0) return `${operand} is null`;
  const values = builder.bind(expr.values, `${primitives[expr.elementType].sql}[]`);
  // NaN is equal to nothing.
  const among = `${operand} = any(${isFloating(expr.operand) ? `array_remove(${values}, 'NaN')` : values})`;
  return expr.withNull ? `(${among}) is not false` : among;
}

/** Numeric arithmetic does not overflow; a zero divisor gives null. */
const arithmetic: { readonly [Operator in ArithmeticOperator]: (a: string, b: string, whole: boolean) => string } = {
  add: (a, b) => `(${a} + ${b})`,
  sub: (a, b) => `(${a} - ${b})`,
  mul: (a, b) => `(${a} * ${b})`,
  // Division of whole numbers truncates (URL conventions 5.1.1.2.4); a quotient rounded before could be one too large.
  div: (a, b, whole) => (whole ? `div(${a}, nullif(${b}, 0))` : `(${a} / nullif(${b}, 0))`),
  divby: (a, b) => `(${a} / nullif(${b}, 0))`,
  mod: (a, b) => `mod(${a}, nullif(${b}, 0))`,
};

// The factor of a duration is numeric, so that none is too large.
function compileSpan(expr: Extract<TypedExpr, { kind: 'arithmetic' }>, builder: StatementBuilder): string {
  if (expr.operator === 'add' || expr.operator === 'sub')
    return compileTemporal(expr, compileValue(expr.left, builder), compileValue(expr.right, builder));
  const [span, number] = expr.left.type === 'Edm.Duration' ? [expr.left, expr.right] : [expr.right, expr.left];
  return compileScaled(expr.operator, compileValue(span, builder), compileNumber(number, 'numeric', builder));
}

function compileArithmetic(expr: Extract<TypedExpr, { kind: 'arithmetic' }>, builder: StatementBuilder): string {
  if (expr.type === 'Edm.Date' || expr.type === 'Edm.DateTimeOffset')
    return compileTemporal(expr, compileValue(expr.left, builder), compileValue(expr.right, builder));
  if (expr.type === 'Edm.Duration') return compileSpan(expr, builder);
  const sqlType = expr.type === 'Edm.Double' && expr.operator !== 'mod' ? 'double precision' : 'numeric';
  const [a = '', b = ''] = [expr.left, expr.right].map((side) => compileNumber(side, sqlType, builder));
  if (expr.operator !== 'mod' && sqlType === 'double precision') return compileFloating(expr.operator, a, b);
  return arithmetic[expr.operator](a, b, expr.type === 'Edm.Int64');
}

/** A number in the type of the calculation. */
export function compileNumber(expr: TypedExpr, sqlType: string, builder: StatementBuilder): string {
  if (expr.kind === 'literal') return builder.bindValueOf(expr, sqlType);
  const value = compileValue(expr, builder);
  if (sqlType === 'numeric' && isFloating(expr)) return decimalOf(value);
  return sqlTypeOf(expr.type) === sqlType && expr.kind !== 'call' ? value : `${value}::${sqlType}`;
}

/** Whether a number is a binary fraction, which decimals do not represent exactly. */
export function isFloating({ type }: Pick<TypedExpr, 'type'>): boolean {
  return type === 'Edm.Double' || type === 'Edm.Single';
}

// Integer arithmetic is numeric already.
function sqlTypeOf(type: TypedExpr['type']): string | undefined {
  if (type === 'null' || type === 'polygon' || type === 'line') return undefined;
  return primitives[type satisfies PrimitiveTypeName].sql;
}
