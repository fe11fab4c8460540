import { mismatchAt, type Scope } from '../scope.js';
import { errors } from '../../errors/catalogue.js';
import { located } from '../../errors/odata-error.js';
import type { BinaryExpr, CommonExpr, LiteralExpr, MemberExpr, MethodCallExpr, UnaryExpr } from '../../expression/ast.js';
import { printExpr } from '../../expression/print.js';
import { arithmeticType, describeFamily, hasEquality, hasOrder, noComparison, timeHint } from './operator-types.js';
import { checkArithmetic } from './check-arithmetic.js';
import { checkArray, checkSameItems } from './check-json.js';
import { checkMethodCall } from './check-call.js';
import { checkCase } from './check-case.js';
import { checkHas, checkLambda } from './check-collection.js';
import { matchEnumeration, checkEnum, requireOneEnumeration } from '../value/check-enum.js';
import { alternativesHint, anyHint, chainHint, comparedHint, mismatchHint } from './check-hints.js';
import { checkIn } from './check-in.js';
import { compareFiner } from '../value/finer-literal.js';
import { checkLiteral, isUntyped, matchDate, matchOperand, typedNull } from '../value/check-literal.js';
import { resolvePath, asProperty } from './check-path.js';
import { within } from './property-expr.js';
import { checkRecords } from './check-records.js';
import { asPath } from '../path/type-cast.js';
import type { ComparisonOperator, TypedExpr } from '../typed-expr.js';
import { isCollection, type ExprFamily, familyOfExpr, negated, compared, logical } from '../expr-facts.js';
import { nameOf } from '../shown-path.js';
import { adviseUnlisted } from './unlisted-value.js';
import { unplannedExpr } from './unplanned.js';

/** Resolves names, assigns types, and rejects mismatches. */
export function checkExpr(expr: CommonExpr, scope: Scope): TypedExpr {
  return located(expr, () => checkSingle(expr, scope));
}

function checkSingle(expr: CommonExpr, scope: Scope): TypedExpr {
  const typed = checkOperand(expr, scope);
  if (!isCollection(typed)) return typed;
  if (expr.kind === 'member') throw notSingle(expr, waysInto(expr), scope);
  throw mismatchAt(expr.at, scope, 'A single value is expected, but this is a collection');
}

/** An operand that may be a collection: compared with another one, and in functions of collections. */
export function checkOperand(expr: CommonExpr, scope: Scope): TypedExpr {
  return located(expr, () => checkNode(expr, scope));
}

function checkNode(expr: CommonExpr, scope: Scope): TypedExpr {
  switch (expr.kind) {
    case 'literal':
      return checkWord(expr, scope);
    case 'member':
      return checkMember(expr, scope);
    case 'unary':
      return checkUnary(expr, scope);
    case 'binary':
      return checkBinary(expr, scope);
    case 'methodCall':
      return checkCastPath(expr, scope) ?? checkMethodCall(expr, scope);
    case 'lambda':
      return checkLambda(expr, scope);
    case 'list':
      throw mismatchAt(expr.at, scope, 'A list is only allowed as the right operand of in');
    case 'type':
      throw mismatchAt(expr.at, scope, `The type ${expr.name} is only allowed as an argument of cast`);
    case 'array':
      return checkArray(expr, scope);
    case 'case':
      return checkCase(expr, scope);
    case 'enum':
      return checkEnum(expr, scope);
    case 'alias':
    case 'object':
      throw unplannedExpr(expr, scope);
  }
}

/** An expression that must be true or false. */
export function checkCondition(expr: CommonExpr, scope: Scope): TypedExpr {
  const typed = checkExpr(expr, scope);
  located(expr, () => {
    requireFamily(typed, 'boolean', `${scope.option} needs a condition`, expr.at, scope, () => comparedHint(expr, typed));
  });
  return typedNull(typed, 'Edm.Boolean');
}

function checkWord(expr: LiteralExpr, scope: Scope): TypedExpr {
  const property = asProperty(expr, scope);
  return property === undefined ? checkLiteral(expr, scope.option) : checkMember(property, scope);
}

function checkMember(expr: MemberExpr, scope: Scope): TypedExpr {
  const target = resolvePath(expr, scope);
  if (target.kind === 'value') return target.expr;
  if (target.kind === 'elements' && target.kept)
    throw errors
      .notImplemented(
        'A whole collection of values after $filter or a cast',
        'Query its items with any(...) or all(...), or count them with $count.',
      )
      .at(scope.option);
  if (target.kind === 'elements') return within(target.joinSteps, target.column);
  throw notSingle(
    expr,
    target.kind === 'record'
      ? `write one of its properties, as in ${nameOf(expr)}/${target.type.key[0] ?? 'Name'}, or compare it with null`
      : waysInto(expr),
    scope,
  );
}

// `cast(Friend,Ns.Employee)` is an entity, like the path Friend/Ns.Employee.
function checkCastPath(expr: MethodCallExpr, scope: Scope): TypedExpr | undefined {
  const path = asPath(expr, scope);
  return path && checkMember(path, scope);
}

function waysInto(expr: MemberExpr): string {
  const name = nameOf(expr);
  return `use ${name}/any(...), ${name}/all(...) or ${name}/$count`;
}

function notSingle(expr: MemberExpr, way: string, scope: Scope): Error {
  return mismatchAt(expr.at, scope, `${nameOf(expr)} is not a single value`, `; ${way}.`).in(expr);
}

function checkUnary(expr: UnaryExpr, scope: Scope): TypedExpr {
  const checked = checkExpr(expr.operand, scope);
  // Null is a whole number here, which is valid where a fraction is not.
  const operand = expr.operator === 'not' ? checked : typedNull(checked, checked.kind === 'literal' ? 'Edm.Int64' : 'Edm.Decimal');
  if (expr.operator === 'not') {
    requireFamily(
      operand,
      'boolean',
      `not needs a condition, in parentheses where it is a comparison, as in not (‹text› eq 'x')`,
      expr.at,
      scope,
    );
    return negated(typedNull(operand, 'Edm.Boolean'));
  }
  if (familyOfExpr(operand) === 'duration') return { kind: 'negate', type: 'Edm.Duration', nullable: operand.nullable, operand };
  requireFamily(operand, 'number', 'A minus needs a number', expr.at, scope, () =>
    scope.option === '$orderby' ? ` Write ${printExpr(expr.operand)} desc.` : '',
  );
  return { kind: 'negate', type: arithmeticType('sub', operand, operand), nullable: operand.nullable, operand };
}

function checkBinary(expr: BinaryExpr, scope: Scope): TypedExpr {
  switch (expr.operator) {
    case 'and':
    case 'or':
      return checkLogical(expr, expr.operator, scope);
    case 'eq':
    case 'ne':
      return (
        (mayBeRecord(expr.right) ? checkRecords(expr, expr.operator, scope) : undefined) ?? checkComparison(expr, expr.operator, scope)
      );
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return checkComparison(expr, expr.operator, scope);
    case 'in':
      return checkIn(expr, scope);
    case 'has':
      return checkHas(expr, scope);
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'divby':
    case 'mod':
      return checkArithmetic(expr, expr.operator, scope);
  }
}

// Only paths are entities, and null is compared with them.
function mayBeRecord(expr: CommonExpr): boolean {
  return expr.kind === 'literal' ? expr.type === 'null' : expr.kind === 'member' || expr.kind === 'methodCall';
}

function checkLogical(expr: BinaryExpr, operator: 'and' | 'or', scope: Scope): TypedExpr {
  const left = typedNull(checkExpr(expr.left, scope), 'Edm.Boolean');
  const right = typedNull(checkExpr(expr.right, scope), 'Edm.Boolean');
  for (const side of [left, right])
    requireFamily(side, 'boolean', `${operator} needs conditions`, expr.at, scope, () => alternativesHint(expr));
  return logical(operator, left, right);
}

function checkComparison(expr: BinaryExpr, operator: ComparisonOperator, scope: Scope): TypedExpr {
  const [first, second] = [checkOperand(expr.left, scope), checkOperand(expr.right, scope)];
  if ([first, second].some(isUntyped) && [first, second].some(isCollection))
    throw errors
      .notImplemented(
        'Comparing a collection with a dynamic value',
        'Query its items, as in Name/any(x:x eq 1), or their number, as in Name/$count eq 0.',
      )
      .at(scope.option);
  const typed = [matchOperand(first, second), matchOperand(second, first)] as const;
  const named = [matchEnumeration(typed[0], typed[1], scope), matchEnumeration(typed[1], typed[0], scope)] as const;
  const [left, right] = [matchDate(named[0], named[1]), matchDate(named[1], named[0])];
  if (isCollection(left) && isCollection(right) && isEquality(operator)) return checkSameItems(expr, operator, [left, right], scope);
  const families = [familyOfExpr(left), familyOfExpr(right)] as const;
  if (families[0] !== undefined && families[1] !== undefined && families[0] !== families[1]) throw mismatch(expr, families, scope);
  requireComparable(families[0] ?? families[1], families.includes(undefined), expr, scope);
  requireOneEnumeration([left, right], expr.at, scope);
  adviseUnlisted(left, right, { shown: expr.left, literal: expr.right }, scope);
  adviseUnlisted(right, left, { shown: expr.right, literal: expr.left }, scope);
  return compareFiner(compared(operator, left, right));
}

function isEquality(operator: BinaryExpr['operator']): operator is 'eq' | 'ne' {
  return operator === 'eq' || operator === 'ne';
}

// Null has no order, so it is compared with every value that has one.
function requireComparable(family: ExprFamily, withNull: boolean, expr: BinaryExpr, scope: Scope): void {
  if (isEquality(expr.operator) ? withNull || hasEquality(family) : hasOrder(family)) return;
  throw noComparison(expr.operator, family, expr.at, scope);
}

function mismatch(expr: BinaryExpr, families: readonly ExprFamily[], scope: Scope): Error {
  if (families[0] === 'collection' && expr.left.kind === 'member') return notSingle(expr.left, anyHint(expr) || waysInto(expr.left), scope);
  const [left, right] = families.map(describeFamily);
  const hint = chainHint(expr) || mismatchHint(expr.right, families[0]) || timeHint('sub', families);
  return mismatchAt(expr.at, scope, `${expr.operator} compares ${left} with ${right}`, `.${hint}`);
}

function requireFamily(expr: TypedExpr, family: ExprFamily, why: string, at: number, scope: Scope, hint: () => string = () => ''): void {
  const actual = familyOfExpr(expr);
  if (actual === undefined || actual === family) return;
  throw mismatchAt(at, scope, `${why}, but this is ${describeFamily(actual)}`, `.${hint()}`);
}
