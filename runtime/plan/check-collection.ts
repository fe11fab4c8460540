import { primitives, type PrimitiveTypeName } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { BinaryExpr, CommonExpr, LambdaExpr, MemberExpr } from '../expression/ast.js';
import { familyNames } from '../expression/families.js';
import { familyOfExpr, familyOfItem } from './check-call.js';
import { besideEnumeration, checkHasFlags, requireOneEnumeration } from './check-enum.js';
import { typedNull } from './check-literal.js';
import { resolvePath, type PathTarget } from './check-path.js';
import { withVariable, type Scope, type Variable } from './scope.js';
import { enumerationOf, type ColumnExpr, type Rows, type TypedExpr, type TypedLiteral } from './typed-expr.js';

type Check = (expr: CommonExpr) => TypedExpr;
type Elements = Extract<PathTarget, { kind: 'elements' }>;

/** `any` and `all` over a collection of values or over collection-valued navigation. */
export function checkLambda(expr: LambdaExpr, scope: Scope, checkCondition: (expr: CommonExpr, scope: Scope) => TypedExpr): TypedExpr {
  const { rows, variable } = rangeOf(expr, resolvePath(expr.source, scope), scope);
  const quantified = { kind: 'quantified', type: 'Edm.Boolean', nullable: false, operator: expr.operator, rows } as const;
  if (expr.predicate === undefined || expr.variable === undefined) return quantified;
  return { ...quantified, predicate: checkCondition(expr.predicate, withVariable(scope, expr.variable, variable)) };
}

function rangeOf(expr: LambdaExpr, target: PathTarget, scope: Scope): { rows: Rows; variable: Variable } {
  if (target.kind === 'elements') return elementRange(target, scope);
  const last = target.kind === 'records' ? target.hops.at(-1) : undefined;
  if (target.kind !== 'records' || last === undefined) {
    const name = expr.source.path.map((segment) => segment.name).join('/');
    throw errors.typeMismatch(`${expr.operator} needs a collection, and ${name} is none, at position ${expr.at + 1}.`).at(scope.option);
  }
  return { rows: { kind: 'hops', hops: target.hops, ...(target.filter && { filter: target.filter }) }, variable: { kind: 'record', source: last, type: target.type } };
}

function elementRange({ column, hops }: Elements, scope: Scope): { rows: Rows; variable: Variable } {
  const alias = scope.aliases.next();
  return { rows: { kind: 'elements', hops, alias, column }, variable: { kind: 'element', value: elementOf(column, alias) } };
}

function elementOf(column: ColumnExpr, alias: string): ColumnExpr {
  return { ...column, collection: false, nullable: true, alias, column: 'value' };
}

/** `in` with a list or an array of literals, whose null counts as in `eq`, or with a collection of values. */
export function checkIn(expr: BinaryExpr, scope: Scope, check: Check): TypedExpr {
  const operand = check(expr.left);
  if (expr.right.kind === 'member') return checkInCollection(expr, expr.right, operand, scope);
  if (expr.right.kind !== 'list' && expr.right.kind !== 'array') throw errors.notImplemented('in with something else than a list, an array or a path').at(scope.option);
  const items = expr.right.items.map((item) => listLiteral(check(item), operand, expr, scope));
  const values = items.flatMap(({ value }) => (value === null ? [] : [value]));
  const elementType = elementTypeOf(operand, items);
  return { kind: 'in', type: 'Edm.Boolean', nullable: false, operand: typedNull(operand, elementType), elementType, values, withNull: values.length < items.length };
}

function checkInCollection(expr: BinaryExpr, right: MemberExpr, operand: TypedExpr, scope: Scope): TypedExpr {
  const target = resolvePath(right, scope);
  if (target.kind !== 'elements') throw errors.typeMismatch(`in needs a list or a collection of values on its right, at position ${expr.at + 1}.`).at(scope.option);
  const value = besideEnumeration(operand, target.column, scope);
  requireSameFamily(target.column, value, expr, scope);
  return isAmong(value, target, scope);
}

function isAmong(value: TypedExpr, { column, hops }: Elements, scope: Scope): TypedExpr {
  const alias = scope.aliases.next();
  const predicate: TypedExpr = { kind: 'comparison', type: 'Edm.Boolean', nullable: false, operator: 'eq', left: elementOf(column, alias), right: value };
  return { kind: 'quantified', type: 'Edm.Boolean', nullable: false, operator: 'any', rows: { kind: 'elements', hops, alias, column }, predicate };
}

function requireSameFamily(item: TypedExpr, operand: TypedExpr, expr: BinaryExpr, scope: Scope): void {
  const [family, wanted] = [familyOfItem(item), familyOfExpr(operand)];
  requireOneEnumeration([item, operand], expr.at, scope);
  if (family === undefined || wanted === undefined || family === wanted) return;
  throw errors.typeMismatch(`in compares ${familyNames[wanted]} with ${familyNames[family]}, at position ${expr.at + 1}.`).at(scope.option);
}

function listLiteral(given: TypedExpr, operand: TypedExpr, expr: BinaryExpr, scope: Scope): TypedLiteral {
  const item = besideEnumeration(given, operand, scope);
  if (item.kind !== 'literal') throw errors.notImplemented('in with something else than literals').at(scope.option);
  requireSameFamily(item, operand, expr, scope);
  return item;
}

// Numbers of a list are compared exactly, whatever the column's own type is.
function elementTypeOf(operand: TypedExpr, items: readonly TypedLiteral[]): PrimitiveTypeName {
  const type = operand.type === 'null' ? items[0]?.type : operand.type;
  if (type === undefined || type === 'null' || type === 'polygon' || type === 'line') return 'Edm.String';
  if (enumerationOf(operand)) return type;
  const whole = items.every((item) => item.type === 'Edm.Int64' || item.type === 'null');
  return primitives[type].rank === undefined || (whole && primitives[type].range !== undefined) ? bindType(type) : 'Edm.Decimal';
}

function bindType(type: PrimitiveTypeName): PrimitiveTypeName {
  return primitives[type].range === undefined ? type : 'Edm.Int64';
}

// RESO's multi-valued lookups are collections of strings here, where `has` asks for membership.
/** `has` of flags; and on a collection of strings or of an enumeration: the value is one of them. */
export function checkHas(expr: BinaryExpr, scope: Scope, check: Check): TypedExpr {
  const target = expr.left.kind === 'member' ? resolvePath(expr.left, scope) : undefined;
  const right = check(expr.right);
  const flags = target?.kind === 'elements' ? undefined : checkHasFlags(expr, check(expr.left), right, scope);
  if (flags) return flags;
  const value = target?.kind === 'elements' ? besideEnumeration(right, target.column, scope) : right;
  const family = familyOfExpr(value);
  if (target?.kind !== 'elements' || (family !== 'string' && family !== 'enumeration') || family !== familyOfItem(target.column)) {
    throw errors.typeMismatch(`has needs flags and their members, or a collection of strings and a string, at position ${expr.at + 1}.`).at(scope.option);
  }
  requireOneEnumeration([target.column, value], expr.at, scope);
  return isAmong(value, target, scope);
}
