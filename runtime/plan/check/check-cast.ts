import { mismatchAt, type Scope } from '../scope.js';
import {
  anyEntity,
  complexTypeNamed,
  isPrimitive,
  navigationOf,
  own,
  primitives,
  type PrimitiveTypeName,
  qualify,
} from '../../edm/index.js';
import { type EnumType } from '../../edm/field.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion, excerpt } from '../../errors/suggest.js';
import type { CommonExpr, MemberExpr, MethodCallExpr, TypeExpr } from '../../expression/ast.js';
import { familyNames, familyOf, type Family } from '../../expression/methods.js';
import { anyOf, enumerationOf, familyOfItem, ofEnumeration, compared, existing, untypedNull, negated, constant } from '../expr-facts.js';
import { entityTypeNamed, isTypeOrBase } from '../path/derivation.js';
import type { TypedExpr } from '../typed-expr.js';
import { asText, isPresent, typedNull } from '../value/check-literal.js';
import { resolvePath } from './check-path.js';
import { unplannedItems } from './unplanned.js';
import { existsOf } from './check-records.js';
import { asPath, isEntityType } from '../path/type-cast.js';

/** The possible casts by family; a cast that fails for a value gives null (URL conventions 5.1.1.10.1). */
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

/** `cast(value,Edm.Type)`, or without a value a cast of the current item. */
export function checkCast(expr: MethodCallExpr, scope: Scope): TypedExpr {
  const { value, target } = valueAndType(expr, 'cast(‹number›,Edm.String)', scope);
  if (isEntityType(target.name, scope.container))
    throw mismatchAt(expr.at, scope, `Only a path to a record can be cast to ${excerpt(target.name)}`);
  const operand = value ? asText(scope.checks.expr(value, scope)) : itemOf(scope);
  if (operand === undefined)
    throw mismatchAt(expr.at, scope, `The record itself cannot be cast to ${excerpt(target.name)}`, ': write one of its properties.');
  const type = namedType(target, scope);
  requireCast(operand, type, target.name, scope);
  return { kind: 'cast', type: type.type, ...ofEnumeration(type.enumeration), nullable: true, operand };
}

/** `isof(value,Edm.Type)`: null has no type, and values have the type of the model. */
export function checkIsof(expr: MethodCallExpr, scope: Scope): TypedExpr {
  const { value, target } = valueAndType(expr, 'isof(‹number›,Edm.Int32)', scope);
  if (isEntityType(target.name, scope.container)) return checkIsRecord(value, target, scope);
  const complex = complexTypeNamed(scope.container, qualify(scope.container, target.name));
  if (complex && value?.kind === 'member')
    return isPresent(scope.checks.expr({ ...value, path: [...value.path, { name: target.name, at: target.at }] }, scope));
  const { type, enumeration } = namedType(target, scope);
  const item = value ? scope.checks.expr(value, scope) : itemOf(scope);
  if (item?.kind === 'dynamic') throw unplannedItems('isof', scope);
  const left = item && typedNull(item, type);
  if (left?.type !== type || enumerationOf(left)?.qualifiedName !== enumeration?.qualifiedName) return constant(false);
  return isPresent(left);
}

interface ValueAndType {
  /** Absent for the current item. */
  readonly value: CommonExpr | undefined;
  readonly target: TypeExpr;
}

function valueAndType({ method, arguments: [first, second, third], at }: MethodCallExpr, example: string, scope: Scope): ValueAndType {
  if (first?.kind === 'type' && second === undefined) return { value: undefined, target: first };
  if (first !== undefined && second?.kind === 'type' && third === undefined) return { value: first, target: second };
  const quoted = [first, second].find(
    (argument) => argument?.kind === 'literal' && argument.type === 'Edm.String' && argument.value.includes('.'),
  );
  const shown = quoted?.kind === 'literal' ? `${method}(${quoted === second ? '...,' : ''}${quoted.value})` : example;
  throw mismatchAt(at, scope, `${method} needs a value and an unquoted type: ${shown}`);
}

// The current item, if it is a value.
function itemOf({ implicit }: Scope): TypedExpr | undefined {
  return implicit.kind === 'element' ? implicit.value : undefined;
}

// Whether an entity exists and has the type or a derived one.
function checkIsRecord(value: CommonExpr | undefined, target: TypeExpr, scope: Scope): TypedExpr {
  const path = value ? (asPath(value, scope) ?? value) : ({ kind: 'member', at: target.at, path: [] } as const);
  return path.kind === 'member' ? isRecordAt(path, target, scope) : constant(false);
}

function isRecordAt(path: MemberExpr, target: TypeExpr, scope: Scope): TypedExpr {
  const start = resolvePath(path, scope);
  if (start.kind !== 'record') return constant(false);
  const { container } = scope;
  const [qualified, type] = [qualify(container, target.name), entityTypeNamed(container, target.name, start.type)];
  const within = (name: string): MemberExpr => ({ ...path, path: [...path.path, { name, at: target.at }] });
  const isNamed = navigationOf(start.type, qualified) !== undefined;
  // Of `$all`: a type whose records are at several places, or none, has no name there.
  if (start.type.qualifiedName === anyEntity && !isNamed)
    return anyOf(Object.keys(start.type.navigation).flatMap((name) => (isPlace(name) ? [isRecordAt(within(name), target, scope)] : [])));
  const isPossible = isNamed || isTypeOrBase(start.type, qualified) || (type && isTypeOrBase(type, start.type.qualifiedName));
  if (!isPossible) return constant(false);
  const cast = resolvePath(within(qualified), scope);
  return (cast.kind === 'record' ? existsOf(cast) : undefined) ?? constant(true);
}

// Names of entity sources in `$all`, which clients cannot write.
function isPlace(name: string): boolean {
  return name.startsWith('#');
}

/** A type by its name: a primitive type, a type definition, or an enumeration. */
interface NamedType {
  readonly type: PrimitiveTypeName;
  readonly enumeration?: EnumType;
}

function namedType(expr: TypeExpr, scope: Scope): NamedType {
  const { name } = expr;
  const { enumTypes = {}, typeDefinitions = {} } = scope.container;
  if (isPrimitive(name)) return { type: name };
  const qualified = qualify(scope.container, name);
  const enumeration = own(enumTypes, qualified);
  const type = enumeration?.underlyingType ?? own(typeDefinitions, qualified);
  if (type !== undefined) return { type, ...ofEnumeration(enumeration) };
  const known = [...Object.keys(primitives).filter(isPrimitive), ...Object.keys(enumTypes), ...Object.keys(typeDefinitions)];
  throw errors
    .unknownName(`type ${excerpt(name)}`, name.startsWith('Edm.') ? 'OData' : 'The model', suggestion(name, known))
    .at(scope.option)
    .in(expr);
}

function requireCast(operand: TypedExpr, { type, enumeration }: NamedType, name: string, scope: Scope): void {
  const from = familyOfItem(operand);
  if (from === undefined || casts[from]?.includes(enumeration ? 'enumeration' : familyOf[type])) return;
  throw errors.notImplemented(`A cast from ${familyNames[from]} to ${name}`).at(scope.option);
}

/** `isdefined(City)`: whether the record has the property, even one that is null (Data Aggregation 3.7). */
export function checkDefined({ arguments: [path, more], at }: MethodCallExpr, scope: Scope): TypedExpr {
  if (path?.kind !== 'member' || path.base || more)
    throw mismatchAt(at, scope, 'isdefined needs the path of one property, write isdefined(‹text›)');
  const presence = scope.has?.(path);
  if (presence) return presence;
  const target = resolvePath(path, scope);
  if (target.kind === 'record' && path.path.length > 1) return existsOf(target) ?? constant(true);
  if (target.kind !== 'value') return constant(true);
  const { expr } = target;
  // A dynamic property exists if it has a value, one of another entity if that exists.
  if (expr.kind === 'dynamic') return negated(compared('eq', expr, untypedNull));
  return expr.kind === 'related' ? existing(expr.joinSteps) : constant(true);
}
