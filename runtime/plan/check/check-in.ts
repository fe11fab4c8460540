import { mismatchAt, type Scope } from '../scope.js';
import { primitives, type PrimitiveTypeName } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ArrayExpr, BinaryExpr, CommonExpr, MemberExpr } from '../../expression/ast.js';
import { familyNames, subset } from '../../expression/methods.js';
import { mismatchHint } from './check-hints.js';
import { isAmong } from './check-collection.js';
import { adviseUnlisted } from './unlisted-value.js';
import { unplannedItems } from './unplanned.js';
import { hasEquality, noComparison } from './operator-types.js';
import { matchEnumeration, requireOneEnumeration } from '../value/check-enum.js';
import { isFiner } from '../value/finer-literal.js';
import { isUntyped, matchDate, typedNull } from '../value/check-literal.js';
import { jsonItem } from './check-json.js';
import { resolvePath } from './check-path.js';
import { nameOf } from '../shown-path.js';
import type { TypedExpr, TypedLiteral } from '../typed-expr.js';
import { enumerationOf, isCollection, isPropertyType, ofEnumeration, familyOfExpr, familyOfItem, allOf, anyOf } from '../expr-facts.js';

/** `in` with a list or an array, whose null counts as in `eq`, or with a collection of values (URL conventions 5.1.1.1.10). */
export function checkIn(expr: BinaryExpr, scope: Scope): TypedExpr {
  const { left, right } = expr;
  const { checks } = scope;
  if (right.kind === 'member') return checkInCollection(expr, right, checks.expr(left, scope), scope);
  if (right.kind === 'methodCall') return checkInComputed(expr, checks.operand(right, scope), checks.expr(left, scope), scope);
  if (right.kind !== 'list' && right.kind !== 'array') throw noCollection(expr, scope);
  if (left.kind === 'array') return anyOf(right.items.map((item) => checkTuple(left, item, expr, scope)));
  const ofRecords = right.items.some((item) => item.kind === 'literal' && item.type === 'null') && isRecord(left, scope);
  const isPlain = (item: CommonExpr): boolean => (item.kind === 'literal' || item.kind === 'enum') && !ofRecords;
  const literals = right.items.filter(isPlain);
  const others = right.items.filter((item) => !isPlain(item)).map((item) => checks.expr(equality(left, item, expr), scope));
  return anyOf([...(literals.length > 0 || others.length === 0 ? [checkAmong(literals, expr, scope)] : []), ...others]);
}

// Records are compared with records and with null, one by one.
function isRecord(left: CommonExpr, scope: Scope): boolean {
  return left.kind === 'member' && resolvePath(left, scope).kind === 'record';
}

function checkAmong(literals: readonly CommonExpr[], expr: BinaryExpr, scope: Scope): TypedExpr {
  const check = (one: CommonExpr): TypedExpr => scope.checks.expr(one, scope);
  const operand = check(expr.left);
  const written = expr.right.kind === 'array' ? literals.map((item) => jsonItem(item, operand)) : literals;
  const given = written.map(check);
  // A dynamic property takes the type of each compared value; compared with a Single, each value is one.
  const isEach =
    (operand.type === 'Edm.Single' && given.length > 0) ||
    (isUntyped(operand) && (!areOfOneFamily(given) || given.some((one) => enumerationOf(one) !== undefined)));
  if (isEach) return anyOf(written.map((item) => check(equality(expr.left, item, expr))));
  const items = given.map((item, index) => listLiteral(written[index] ?? expr, item, operand, expr, scope));
  requireEquality(operand, items, expr, scope);
  items.forEach((item, index) => adviseUnlisted(operand, item, { shown: expr.left, literal: literals[index] }, scope));
  const present = items.filter(({ value }) => value !== null);
  const values = present.flatMap((item) => (item.value === null || isFiner(item) ? [] : [item.value]));
  const elementType = elementTypeOf(operand, items);
  return {
    kind: 'in',
    type: 'Edm.Boolean',
    nullable: false,
    operand: typedNull(operand, elementType),
    elementType,
    values,
    withNull: present.length < items.length,
  };
}

// `[FirstName,LastName] in [['John','Doe'],['Jane','Smith']]` (URL conventions 5.1.1.11.2): each pair by pair.
function checkTuple(left: ArrayExpr, item: CommonExpr, expr: BinaryExpr, scope: Scope): TypedExpr {
  if (item.kind !== 'array' || item.items.length !== left.items.length || left.items.length === 0) {
    throw mismatchAt(
      item.at,
      scope,
      `in compares ${left.items.length} values with each item of its list, but this item has another number of values`,
    ).in(item);
  }
  const check = (one: CommonExpr): TypedExpr => scope.checks.expr(one, scope);
  const pairs = left.items.flatMap((value, index) => (item.items[index] === undefined ? [] : [[value, item.items[index]] as const]));
  return allOf(pairs.map(([value, other]) => check(equality(value, jsonItem(other, check(value)), expr))));
}

function equality(left: CommonExpr, right: CommonExpr, { at }: BinaryExpr): BinaryExpr {
  return { kind: 'binary', at, operator: 'eq', left, right };
}

function checkInCollection(expr: BinaryExpr, right: MemberExpr, operand: TypedExpr, scope: Scope): TypedExpr {
  const target = resolvePath(right, scope);
  if (target.kind === 'value' && target.expr.kind === 'dynamic') throw unplannedItems('in', scope);
  if (target.kind !== 'elements') throw noCollection(expr, scope);
  const value = matchEnumeration(operand, target.column, scope);
  requireSameFamily(target.column, value, expr, scope);
  if (!hasEquality(familyOfItem(target.column))) throw noComparison('in', familyOfItem(target.column), expr.at, scope);
  adviseUnlisted(target.column, value, { shown: right, literal: expr.left }, scope);
  return isAmong(value, target, scope);
}

// `in` over a collection from a function, such as `concat(Heating,Cooling)`, is a subset test.
function checkInComputed(expr: BinaryExpr, collection: TypedExpr, operand: TypedExpr, scope: Scope): TypedExpr {
  if (!isCollection(collection)) throw noCollection(expr, scope);
  const value = matchEnumeration(operand, collection, scope);
  requireSameFamily(collection, value, expr, scope);
  const { type } = collection;
  if (!isPropertyType(type)) throw noCollection(expr, scope);
  const one: TypedExpr = {
    kind: 'computedArray',
    type,
    ...ofEnumeration(enumerationOf(collection)),
    nullable: false,
    items: [typedNull(value, type)],
  };
  return { kind: 'call', type: 'Edm.Boolean', nullable: false, method: subset, arguments: [collection, one] };
}

function noCollection({ left, right, at }: BinaryExpr, { option }: Scope): Error {
  const name = left.kind === 'member' ? nameOf(left) : '‹text›';
  const shown =
    right.kind === 'literal' && right.type !== 'null' ? (right.type === 'Edm.String' ? `'${right.value}'` : right.value) : `'x','y'`;
  return mismatchAt(at, { option }, 'in needs a list or a collection of values as its right operand', `; write ${name} in (${shown}).`);
}

function requireSameFamily(item: TypedExpr, operand: TypedExpr, expr: BinaryExpr, scope: Scope, hint: () => string = () => ''): void {
  const [family, wanted] = [familyOfItem(item), familyOfExpr(operand)];
  requireOneEnumeration([item, operand], expr.at, scope);
  if (family === undefined || wanted === undefined || family === wanted) return;
  throw mismatchAt(expr.at, scope, `in compares ${familyNames[wanted]} with ${familyNames[family]}`, `.${hint()}`);
}

function listLiteral(written: CommonExpr, given: TypedExpr, operand: TypedExpr, expr: BinaryExpr, scope: Scope): TypedLiteral {
  const item = matchDate(matchEnumeration(given, operand, scope), operand);
  if (item.kind !== 'literal') throw errors.internal();
  requireSameFamily(item, operand, expr, scope, () => mismatchHint(written, familyOfExpr(operand)));
  return item;
}

function areOfOneFamily(items: readonly TypedExpr[]): boolean {
  const families = new Set(items.map(familyOfExpr));
  return families.size <= 1 && !families.has(undefined);
}

// Among nulls alone, null is looked for.
function requireEquality(operand: TypedExpr, items: readonly TypedLiteral[], { at }: BinaryExpr, scope: Scope): void {
  const families = [operand, ...items].map(familyOfExpr).filter((family) => family !== undefined);
  const other = families.find((family) => !hasEquality(family));
  if (other !== undefined && items.some(({ value }) => value !== null)) throw noComparison('in', other, at, scope);
}

// Numbers of a list are compared exactly, whatever the column's own type is.
function elementTypeOf(operand: TypedExpr, items: readonly TypedLiteral[]): PrimitiveTypeName {
  const type = operand.type === 'null' ? items[0]?.type : operand.type;
  if (!isPropertyType(type)) return 'Edm.String';
  if (enumerationOf(operand)) return type;
  const whole = items.every((item) => item.type === 'Edm.Int64' || item.type === 'null');
  return primitives[type].rank === undefined || (whole && primitives[type].range !== undefined) ? bindType(type) : 'Edm.Decimal';
}

function bindType(type: PrimitiveTypeName): PrimitiveTypeName {
  return primitives[type].range === undefined ? type : 'Edm.Int64';
}
