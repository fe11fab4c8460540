import { complexTypeNamed, type PrimitiveTypeName } from '../../edm/index.js';
import { type ComplexType } from '../../edm/entity-type.js';
import { errors } from '../../errors/catalogue.js';
import type { ArrayExpr, BinaryExpr, CommonExpr, ObjectExpr } from '../../expression/ast.js';
import { familyNames, shapeFamilies, sameItems } from '../../expression/methods.js';
import { type Json, printJson } from '../../json/json.js';
import { complexOf, enumerationOf, type ExprFamily, familyOfExpr, familyOfItem, isCollection, ofEnumeration } from '../expr-facts.js';
import type { Scope } from '../scope.js';
import type { TypedExpr, TypedLiteral } from '../typed-expr.js';
import { matchEnumeration, requireOneEnumeration } from '../value/check-enum.js';
import { literal, typedNull } from '../value/check-literal.js';
import { planComplex } from '../value/plan-complex.js';
import { planValue } from '../value/plan-value.js';
import { commonNumberType } from './operator-types.js';
import { withoutEmptyCollections } from './empty-collections.js';

/** A JSON array of values of one kind, as a collection. */
export function checkArray(expr: ArrayExpr, scope: Scope, check: (expr: CommonExpr) => TypedExpr): TypedExpr {
  const items = expr.items.map(check);
  const families = new Set(items.map(familyOfExpr).filter((family) => family !== undefined));
  if (families.size > 1) {
    const kinds = [...families].map((family) => familyNames[family]).join(' and ');
    throw errors.typeMismatch(`The items of an array need one type, but these are ${kinds}, at position ${expr.at + 1}.`).at(scope.option);
  }
  const enumeration = items.map(enumerationOf).find((found) => found !== undefined);
  const type = itemType(items);
  if (items.every(isLiteral))
    return { kind: 'array', type, ...ofEnumeration(enumeration), nullable: false, values: items.map(({ value }) => value) };
  if (type === 'null')
    throw errors
      .typeMismatch(`The item type of the array at position ${expr.at + 1} is unknown; cast an item, as in cast(Name,Edm.String).`)
      .at(scope.option);
  return { kind: 'computedArray', type, ...ofEnumeration(enumeration), nullable: false, items: items.map((item) => typedNull(item, type)) };
}

function isLiteral(item: TypedExpr): item is TypedLiteral {
  return item.kind === 'literal';
}

function itemType(items: readonly TypedExpr[]): PrimitiveTypeName | 'null' {
  const typed = items.filter(({ type }) => type !== 'null');
  const [first] = typed;
  if (first === undefined || first.type === 'null') return 'null';
  if (first.type === 'polygon' || first.type === 'line')
    throw errors.typeMismatch('Shapes cannot be items of an array, because they cannot be compared.');
  return familyOfExpr(first) === 'number' ? commonNumberType(typed) : first.type;
}

/** Gives an array that is empty, all null or of member names the type of the collection that it is compared with. */
export function matchArguments(args: readonly TypedExpr[], scope: Scope): readonly TypedExpr[] {
  const enumerated = args.find((argument) => isCollection(argument) && enumerationOf(argument));
  const found = enumerated ?? args.find((argument) => isCollection(argument) && argument.type !== 'null');
  const type = found?.type;
  if (found === undefined || type === undefined || type === 'null' || type === 'polygon' || type === 'line') return args;
  return args.map((argument) => {
    if (argument.kind !== 'array') return argument;
    return argument.type === 'null'
      ? { ...argument, type, ...ofEnumeration(enumerationOf(found)) }
      : matchEnumeration(jsonItems(argument, found), found, scope);
  });
}

const incomparable: ReadonlySet<ExprFamily> = new Set<ExprFamily>(['binary', ...shapeFamilies]);

/** Rejects collections whose items cannot be compared. */
export function requireComparableItems(what: string, args: readonly TypedExpr[], at: number, scope: Scope): void {
  const families = new Set(
    args
      .filter(isCollection)
      .map(familyOfItem)
      .filter((family) => family !== undefined),
  );
  const names = [...families].map((family) => familyNames[family]).join(' and ');
  if (families.size > 1) throw errors.typeMismatch(`${what} compares items of the types ${names}, at position ${at + 1}.`).at(scope.option);
  requireOneEnumeration(args, at, scope);
  if ([...families].some((family) => incomparable.has(family)))
    throw errors.typeMismatch(`${what} cannot compare items of the types ${names}, at position ${at + 1}.`).at(scope.option);
}

/** `eq` and `ne` of two collections (URL conventions 5.1.1.1); undefined if they are not both collections. */
export function checkSameItems(expr: BinaryExpr, left: TypedExpr, right: TypedExpr, scope: Scope): TypedExpr | undefined {
  const { operator, at } = expr;
  if (!isCollection(left) || !isCollection(right) || (operator !== 'eq' && operator !== 'ne')) return undefined;
  const sides = matchArguments([left, right], scope);
  requireComparableItems(operator, sides, at, scope);
  requireRelatedTypes(expr, left, right, scope);
  const equal: TypedExpr = { kind: 'call', type: 'Edm.Boolean', nullable: false, method: sameItems, arguments: sides };
  return operator === 'eq' ? equal : { kind: 'not', type: 'Edm.Boolean', nullable: false, operand: equal };
}

/** Checks operands together: the others determine the type of a JSON object. */
export function checkOperands(exprs: readonly CommonExpr[], scope: Scope, check: (expr: CommonExpr) => TypedExpr): readonly TypedExpr[] {
  const checked = exprs.map((expr) => (isStructure(expr) ? undefined : check(expr)));
  const other = checked.find((typed) => typed !== undefined && complexOf(typed) !== undefined);
  const isCompared = checked.filter((typed) => typed === undefined || complexOf(typed) !== undefined).length > 1;
  return exprs.map((expr, index) => {
    const typed = checked[index] ?? checkStructure(expr, other, scope);
    return isCompared ? withoutEmptyCollections(typed, scope) : typed;
  });
}

function isStructure(expr: CommonExpr): expr is ObjectExpr | ArrayExpr {
  return expr.kind === 'object' || (expr.kind === 'array' && expr.items.some(({ kind }) => kind === 'object'));
}

/**
 * A JSON object compared with a complex property, in the stored form: two complex values are equal if their types and
 * all their properties are (URL conventions 5.1.1.1.1), and so are their stored forms.
 */
function checkStructure(expr: CommonExpr, other: TypedExpr | undefined, scope: Scope): TypedExpr {
  const complex = other && complexOf(other);
  if (other === undefined || complex === undefined)
    throw errors.typeMismatch(`A JSON object can only be compared with a complex property, at position ${expr.at + 1}.`).at(scope.option);
  if (expr.kind !== 'array') return checkObject(expr, complex, scope);
  const values = expr.items.map((item) =>
    item.kind === 'literal' && item.type === 'null' ? null : checkObject(item, complex, scope).value,
  );
  return { kind: 'array', type: 'Edm.ComplexType', complex, nullable: false, values };
}

function checkObject(expr: CommonExpr, complex: string, scope: Scope): TypedLiteral {
  const field = { type: 'Edm.ComplexType', complex } as const;
  const { json, faults } = planComplex('The object', field, jsonOf(expr, scope), {
    container: scope.container,
    format: { ieee754Compatible: true },
    partial: false,
    strict: true,
  });
  // An unknown name explains more than the missing one that it was meant to be.
  const fault = faults.find(({ code }) => code === errors.unknownBodyProperty.code) ?? faults[0];
  if (fault)
    throw errors.typeMismatch(`The JSON object at position ${expr.at + 1} is not a valid ${complex}: ${fault.message}`).at(scope.option);
  return { ...literal('Edm.ComplexType', printJson(json)), complex };
}

// Literals of expressions that JSON has stay such literals; others become strings.
function jsonOf(expr: CommonExpr, scope: Scope): Json {
  switch (expr.kind) {
    case 'object':
      return { kind: 'object', members: new Map(expr.members.map(({ name, value }) => [name, jsonOf(value, scope)])) };
    case 'array':
      return { kind: 'array', items: expr.items.map((item) => jsonOf(item, scope)) };
    case 'literal':
      return jsonLiteral(expr.type, expr.value);
    default:
      throw errors.typeMismatch(`A JSON object can contain only JSON values, at position ${expr.at + 1}.`).at(scope.option);
  }
}

function jsonLiteral(type: string, value: string): Json {
  if (type === 'null') return null;
  if (type === 'Edm.Boolean') return value === 'true';
  return type === 'Edm.Int64' || type === 'Edm.Decimal' || type === 'Edm.Double' ? { kind: 'number', text: value } : value;
}

/** Rejects a comparison of complex values of unrelated types: they are never equal. */
export function requireRelatedTypes({ operator, at }: BinaryExpr, left: TypedExpr, right: TypedExpr, scope: Scope): void {
  const { container, option } = scope;
  const types = [left, right].map(complexOf).map((name) => (name === undefined ? undefined : complexTypeNamed(container, name)));
  const [one, other] = types;
  if (one === undefined || other === undefined || isOrDerives(one, other) || isOrDerives(other, one)) return;
  throw errors
    .typeMismatch(`${operator} compares ${one.qualifiedName} with ${other.qualifiedName}, which are never equal, at position ${at + 1}.`)
    .at(option);
}

function isOrDerives(type: ComplexType, base: ComplexType): boolean {
  return type.qualifiedName === base.qualifiedName || base.derived.includes(type.qualifiedName);
}

/**
 * Types whose values are strings in JSON but literals without quotes in a URL (JSON format 7.1; URL conventions
 * 5.1.1.14.2).
 */
const written: ReadonlySet<TypedExpr['type']> = new Set<PrimitiveTypeName>([
  'Edm.Date',
  'Edm.TimeOfDay',
  'Edm.DateTimeOffset',
  'Edm.Guid',
  'Edm.Binary',
]);

/** An item of a JSON array as a literal of the compared type; other strings stay strings. */
export function jsonItem(item: CommonExpr, { type }: TypedExpr): CommonExpr {
  if (!isWritten(type) || item.kind !== 'literal' || item.type !== 'Edm.String' || storedText(item.value, type) === undefined) return item;
  return { kind: 'literal', at: item.at, type, value: item.value };
}

/** The items of an array as literals of the compared type. */
function jsonItems(array: Extract<TypedExpr, { kind: 'array' }>, { type }: TypedExpr): typeof array {
  if (!isWritten(type) || array.type !== 'Edm.String') return array;
  const values = array.values.map((value) => (value === null ? null : storedText(value, type)));
  return values.every((value) => value !== undefined) ? { ...array, type, values } : array;
}

type WrittenType = 'Edm.Date' | 'Edm.TimeOfDay' | 'Edm.DateTimeOffset' | 'Edm.Guid' | 'Edm.Binary';

function isWritten(type: TypedExpr['type']): type is WrittenType {
  return written.has(type);
}

function storedText(text: string, type: WrittenType): string | undefined {
  const planned = planValue('item', { type }, text, { ieee754Compatible: false });
  return 'value' in planned && typeof planned.value === 'string' ? planned.value : undefined;
}
