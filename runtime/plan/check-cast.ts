import { complexTypeNamed, isPrimitive, own, primitives, qualify, type EnumType, type PrimitiveTypeName } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import type { CommonExpr, MethodCallExpr, TypeExpr } from '../expression/ast.js';
import { familyOf, familyNames } from '../expression/families.js';
import type { Family } from '../expression/methods.js';
import { excerpt } from '../expression/quote.js';
import { familyOfItem } from './check-call.js';
import { typedNull } from './check-literal.js';
import { asText } from './dynamic-value.js';
import type { Scope } from './scope.js';
import { enumerationOf, ofEnumeration, type TypedExpr } from './typed-expr.js';

/** Which family may be cast to which; a cast that fails on a value gives null (URL conventions 5.1.1.10.1). */
const casts: { readonly [From in Family]?: readonly Family[] } = {
  string: ['string', 'number', 'enumeration', 'boolean', 'date', 'time', 'timestamp', 'duration', 'guid'],
  number: ['string', 'number', 'enumeration'],
  enumeration: ['string', 'number', 'enumeration'],
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
  const operand = asText(check(value));
  const type = namedType(target, scope);
  requireCast(operand, type, target.name, scope);
  return { kind: 'cast', type: type.type, ...ofEnumeration(type.enumeration), nullable: true, operand };
}

/** `isof(value,Edm.Type)`: null is of no type, and values keep the type that the model gives them. */
export function checkIsof(expr: MethodCallExpr, scope: Scope, check: (expr: CommonExpr) => TypedExpr): TypedExpr {
  const [value, target] = expr.arguments;
  if (value?.kind === 'type' && target === undefined) throw errors.notImplemented('isof of the record itself').at(scope.option);
  if (value === undefined || target?.kind !== 'type' || expr.arguments.length !== 2) {
    throw errors.typeMismatch(`isof takes a value and an unquoted type: isof(TaxYear,Edm.Int32), at position ${expr.at + 1}.`).at(scope.option);
  }
  const complex = complexTypeNamed(scope.container, qualify(scope.container, target.name));
  if (complex && value.kind === 'member') return isPresent(check({ ...value, path: [...value.path, { name: target.name, at: target.at }] }));
  const { type, enumeration } = namedType(target, scope);
  // What a dynamic property is, its value tells.
  const left = typedNull(check(value), type);
  if (left.kind === 'dynamic') return isPresent(left);
  if (left.type !== type || enumerationOf(left)?.qualifiedName !== enumeration?.qualifiedName) return { kind: 'constant', type: 'Edm.Boolean', nullable: false, value: false };
  return isPresent(left);
}

function isPresent(left: TypedExpr): TypedExpr {
  const right: TypedExpr = { kind: 'literal', type: 'null', nullable: true, value: null };
  return { kind: 'comparison', type: 'Edm.Boolean', nullable: false, operator: 'ne', left, right };
}

/** A type by its name: primitive, a definition of one, or an enumeration. */
interface NamedType {
  readonly type: PrimitiveTypeName;
  readonly enumeration?: EnumType;
}

function namedType({ name }: TypeExpr, scope: Scope): NamedType {
  const { enumTypes = {}, typeDefinitions = {} } = scope.container;
  if (isPrimitive(name)) return { type: name };
  const qualified = qualify(scope.container, name);
  const enumeration = own(enumTypes, qualified);
  const type = enumeration?.underlyingType ?? own(typeDefinitions, qualified);
  if (type !== undefined) return { type, ...ofEnumeration(enumeration) };
  const known = [...Object.keys(primitives).filter(isPrimitive), ...Object.keys(enumTypes), ...Object.keys(typeDefinitions)];
  throw errors.unknownName(`type ${excerpt(name)}`, 'OData', suggestion(name, known)).at(scope.option);
}

function requireCast(operand: TypedExpr, { type, enumeration }: NamedType, name: string, scope: Scope): void {
  const from = familyOfItem(operand);
  if (from === undefined || casts[from]?.includes(enumeration ? 'enumeration' : familyOf[type])) return;
  throw errors.notImplemented(`A cast from ${familyNames[from]} to ${name}`).at(scope.option);
}
