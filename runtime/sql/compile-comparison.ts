import { isFloating, primitives, type PrimitiveTypeName } from '../edm/index.js';
import type { ComparisonOperator, TypedExpr, TypedLiteral } from '../plan/typed-expr.js';
import { turned } from '../plan/value/finer-literal.js';
import type { StatementBuilder } from './builder.js';
import { compileValue } from './compile-expr.js';
import { type Bounds, sqlHooks } from './hooks.js';
import { type Comparison, isPropertyType, isTextOfRequest } from '../plan/expr-facts.js';

const signs: { readonly [Operator in ComparisonOperator]: string } = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' };

/** A comparison of two values, which OData never leaves unknown. */
export function compileComparison(comparison: Comparison, builder: StatementBuilder): string {
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

// Both sides; a literal takes the type of the other side where it fits, so that an index on the column applies.
function compilePair(left: TypedExpr, right: TypedExpr, builder: StatementBuilder): readonly [string, string] {
  const [a, b] = [compileComparable(left, right, builder), compileComparable(right, left, builder)];
  // Text compares by code point, as with a column.
  return isTextOfRequest(left) && isTextOfRequest(right) ? [`(${a} collate "C")`, b] : [a, b];
}

function compileComparable(expr: TypedExpr, other: TypedExpr, builder: StatementBuilder): string {
  if (expr.kind !== 'literal' || !isPropertyType(other.type)) return compileValue(expr, builder);
  return compileLiteralAs(expr, other.type, builder);
}

// A comparison that may involve NaN, which is unordered and unequal to everything, itself included (URL conventions
// 5.1.1.1). In PostgreSQL it equals itself and is the largest value, so the side where that matters is tested.
function compileUnordered(comparison: Comparison, a: string, b: string, plain: (a: string, b: string) => string): string {
  const side = sides[comparison.operator](mayBeNaN(comparison.left), mayBeNaN(comparison.right));
  if (side === undefined) return plain(a, b);
  const asked = side === 'a' ? comparison.left : comparison.right;
  if (asked.kind === 'column' || asked.kind === 'literal') return guarded(comparison.operator, plain(a, b), side === 'a' ? a : b);
  // An operand may contain such comparisons: written twice it would double with every level.
  return `(select ${guarded(comparison.operator, plain('a', 'b'), side)} from (select ${a} as a, ${b} as b offset 0) operands)`;
}

function guarded(operator: ComparisonOperator, plain: string, side: string): string {
  return operator === 'ne' ? `(${plain} or ${side} = 'NaN')` : `(${plain} and ${side} is distinct from 'NaN')`;
}

/** The side for which PostgreSQL's result would be wrong, if any. */
type Side = (left: boolean, right: boolean) => 'a' | 'b' | undefined;

const both: Side = (left, right) => (left && right ? 'a' : undefined);
const larger: Side = (left) => (left ? 'a' : undefined);
const smaller: Side = (_, right) => (right ? 'b' : undefined);

const sides: { readonly [Operator in ComparisonOperator]: Side } = { eq: both, ne: both, gt: larger, ge: larger, lt: smaller, le: smaller };

// A statement also serves other literals, so a literal's value decides nothing.
function mayBeNaN(expr: TypedExpr): boolean {
  return isFloating(expr.type) && !('collection' in expr && expr.collection);
}

/** Whether a value is among others; the operand occurs once, since written twice it would double with every level. */
export function compileIn(expr: Extract<TypedExpr, { kind: 'in' }>, builder: StatementBuilder): string {
  if (expr.values.length === 0 && !expr.withNull) return 'false'; // Compiling the operand would bind unused parameters.
  const operand = compileValue(expr.operand, builder);
  if (expr.values.length === 0) return `${operand} is null`;
  const values = builder.bind(expr.values, `${primitives[expr.elementType].sql}[]`);
  // NaN is equal to nothing.
  const among = `${operand} = any(${isFloating(expr.operand.type) ? `array_remove(${values}, 'NaN')` : values})`;
  return expr.withNull ? `(${among}) is not false` : among;
}

/** A literal in its own type. */
export function compileLiteral(literal: TypedLiteral, builder: StatementBuilder): string {
  return builder.bindValueOf(literal, literalSqlType(literal));
}

function literalSqlType({ type }: TypedLiteral): string {
  if (type === 'null') return 'text';
  if (type === 'polygon') return 'polygon';
  return type === 'line' ? 'path' : primitives[type].sql;
}

// A number compared with a column of another numeric type: whole numbers stay whole, decimals exact.
function compileLiteralAs(literal: TypedLiteral, type: PrimitiveTypeName, builder: StatementBuilder): string {
  if (type === 'Edm.Single' && (literal.type === 'Edm.Decimal' || literal.type === 'Edm.Double'))
    return compileAsSingle(compileLiteral(literal, builder));
  return builder.bindValueOf(literal, literal.type === 'null' ? primitives[type].sql : numericSqlType(literal, type));
}

// A literal compared with a Single becomes one, since answers show 0.1, which no Double equals. A number outside of Single's range is kept.
function compileAsSingle(number: string): string {
  return `(case when abs(${number}) <= 3.4028235e38 and (abs(${number}) >= 1e-45 or ${number} = 0) then ${number}::real else ${number} end)`;
}

function numericSqlType(literal: TypedLiteral, type: PrimitiveTypeName): string {
  const primitive = primitives[type];
  if (primitive.rank === undefined || literal.type !== 'Edm.Int64') return literalSqlType(literal);
  return primitive.range === undefined ? primitive.sql : 'bigint';
}

// A comparison of a function with a literal as bounds of the argument, for which an index applies; undefined without bounds.
function compileBounds({ operator, left, right }: Comparison, builder: StatementBuilder): string | undefined {
  if (left.kind === 'call' && right.kind === 'literal') return boundsOf[left.method.name]?.(left, operator, right, builder);
  if (left.kind === 'literal' && right.kind === 'call') return boundsOf[right.method.name]?.(right, turned[operator], left, builder);
  return undefined;
}

// A day in UTC, as `date` sees it.
const dayBounds: Bounds = ({ arguments: [moment] }, operator, literal, builder) => {
  if (operator !== 'eq' || moment?.kind !== 'column' || literal.type !== 'Edm.Date') return undefined;
  const column = compileValue(moment, builder);
  const start = (days: string): string => `((${builder.bindValueOf(literal, 'date')}${days})::timestamp at time zone 'UTC')`;
  return `(${column} >= ${start('')} and ${column} < ${start(' + 1')})`;
};

const yearBounds: Bounds = ({ arguments: [moment] }, operator, literal, builder) => {
  if (operator !== 'eq' || moment?.kind !== 'column' || literal.type !== 'Edm.Int64' || literal.value === null) return undefined;
  const column = compileValue(moment, builder);
  const { sql } = primitives[moment.type];
  const [from, to] = yearRange(Number(literal.value));
  return `(${column} >= ${builder.bind(from, sql)} and ${column} < ${builder.bind(to, sql)})`;
};

const boundsOf: { readonly [method: string]: Bounds | undefined } = {
  date: dayBounds,
  year: yearBounds,
  'geo.distance': (...circle) => sqlHooks.get('shapes').boundsOf(...circle),
};

// PostgreSQL's years begin with 4713 BC, which is -4713; there is no year 0.
function yearRange(year: number): readonly [string, string] {
  if (year === 0 || year < -4712 || year > 294_275) return ['infinity', '-infinity'];
  return [startOf(year), startOf(year === -1 ? 1 : year + 1)];
}

function startOf(year: number): string {
  const digits = String(Math.abs(year)).padStart(4, '0');
  return `${digits}-01-01 00:00:00+00${year < 0 ? ' BC' : ''}`;
}
