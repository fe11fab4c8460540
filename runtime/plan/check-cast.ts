import { own, primitives, type PrimitiveTypeName } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import type { CommonExpr, MethodCallExpr, TypeExpr } from '../expression/ast.js';
import { familyOf, familyNames } from '../expression/families.js';
import type { Family } from '../expression/methods.js';
import type { Scope } from './scope.js';
import type { TypedExpr } from './typed-expr.js';

/** Which family may be cast to which; a cast that fails on a value gives null (URL conventions 5.1.1.10.1). */
const casts: { readonly [From in Family]?: readonly Family[] } = {
  string: ['string', 'number'],
  number: ['string', 'number'],
  boolean: ['string', 'boolean'],
  date: ['string', 'date'],
  time: ['string', 'time'],
  timestamp: ['string', 'timestamp', 'date', 'time'],
  duration: ['string', 'duration'],
  guid: ['string', 'guid'],
};

/** `cast(value,Edm.Type)`. */
export function checkCast(expr: MethodCallExpr, scope: Scope, check: (expr: CommonExpr) => TypedExpr): TypedExpr {
  const [value, target] = expr.arguments;
  if (value?.kind === 'type' && target === undefined) throw errors.notImplemented('cast of the record itself').at(scope.option);
  if (value === undefined || target?.kind !== 'type' || expr.arguments.length !== 2) {
    throw errors.typeMismatch(`cast takes a value and an unquoted type: cast(TaxYear,Edm.String), at position ${expr.at + 1}.`).at(scope.option);
  }
  const operand = check(value);
  const type = primitiveType(target, scope);
  requireCast(operand, type, scope);
  return { kind: 'cast', type, nullable: true, operand };
}

/** `isof(value,Edm.Type)`: null is of no type, and values keep the type that the model gives them. */
export function checkIsof(expr: MethodCallExpr, scope: Scope, check: (expr: CommonExpr) => TypedExpr): TypedExpr {
  const [value, target] = expr.arguments;
  if (value?.kind === 'type' && target === undefined) throw errors.notImplemented('isof of the record itself').at(scope.option);
  if (value === undefined || target?.kind !== 'type' || expr.arguments.length !== 2) {
    throw errors.typeMismatch(`isof takes a value and an unquoted type: isof(TaxYear,Edm.Int32), at position ${expr.at + 1}.`).at(scope.option);
  }
  const left = check(value);
  if (left.type !== primitiveType(target, scope)) return { kind: 'constant', type: 'Edm.Boolean', nullable: false, value: false };
  const right: TypedExpr = { kind: 'literal', type: 'null', nullable: true, value: null };
  return { kind: 'comparison', type: 'Edm.Boolean', nullable: false, operator: 'ne', left, right };
}

function primitiveType(target: TypeExpr, scope: Scope): PrimitiveTypeName {
  if (own(primitives, target.name) === undefined) {
    throw errors.unknownName(`type ${target.name}`, 'OData', suggestion(target.name, Object.keys(primitives))).at(scope.option);
  }
  return target.name as PrimitiveTypeName; // The name is a key of the table that the type lists.
}

function requireCast(operand: TypedExpr, type: PrimitiveTypeName, scope: Scope): void {
  if (operand.type === 'null') return;
  const from = operand.type === 'polygon' || operand.type === 'line' ? operand.type : familyOf[operand.type];
  if (casts[from]?.includes(familyOf[type])) return;
  throw errors.notImplemented(`A cast from ${familyNames[from]} to ${type}`).at(scope.option);
}
