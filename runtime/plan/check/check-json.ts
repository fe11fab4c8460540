import { mismatchAt, type Scope } from '../scope.js';
import { type PrimitiveTypeName } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ArrayExpr, BinaryExpr, CommonExpr } from '../../expression/ast.js';
import { familyNames, shapeFamilies, sameItems } from '../../expression/methods.js';
import type { ExprFamily } from '../expr-facts.js';
import { enumerationOf, familyOfExpr, familyOfItem, isCollection, isPropertyType, ofEnumeration, negated } from '../expr-facts.js';
import type { TypedExpr } from '../typed-expr.js';
import { matchEnumeration, requireOneEnumeration } from '../value/check-enum.js';
import { typedNull } from '../value/check-literal.js';
import { planValue } from '../value/plan-value.js';
import { commonNumberType, noComparison } from './operator-types.js';

/** A JSON array of values of one kind, as a collection. */
export function checkArray(expr: ArrayExpr, scope: Scope): TypedExpr {
  const items = expr.items.map((item) => scope.checks.expr(item, scope));
  const families = new Set(items.map(familyOfExpr).filter((family) => family !== undefined));
  if (families.size > 1) {
    const kinds = [...families].map((family) => familyNames[family]).join(' and ');
    throw mismatchAt(expr.at, scope, `The items of an array need one type, but these are ${kinds}`);
  }
  const enumeration = items.map(enumerationOf).find((found) => found !== undefined);
  const type = itemType(items);
  if (items.every((item) => item.kind === 'literal'))
    return { kind: 'array', type, ...ofEnumeration(enumeration), nullable: false, values: items.map(({ value }) => value) };
  if (type === 'null')
    throw errors
      .typeMismatch(`The item type of the array at position ${expr.at + 1} is unknown; cast an item, as in cast(Name,Edm.String).`)
      .at(scope.option);
  return { kind: 'computedArray', type, ...ofEnumeration(enumeration), nullable: false, items: items.map((item) => typedNull(item, type)) };
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
  if (found === undefined || !isPropertyType(type)) return args;
  return args.map((argument) => {
    if (argument.kind !== 'array') return argument;
    return argument.type === 'null'
      ? { ...argument, type, ...ofEnumeration(enumerationOf(found)) }
      : matchEnumeration(jsonItems(argument, found), found, scope);
  });
}

const incomparable: ReadonlySet<ExprFamily> = new Set<ExprFamily>(['binary', ...shapeFamilies]);

// Functions that compare no items.
const comparingNone: ReadonlySet<string> = new Set(['concat', 'length', 'substring']);

/** Rejects collections whose items cannot be compared. */
export function requireComparableItems(what: string, args: readonly TypedExpr[], at: number, scope: Scope): void {
  const families = new Set(
    args
      .filter(isCollection)
      .map(familyOfItem)
      .filter((family) => family !== undefined),
  );
  if (families.has('complex') && !comparingNone.has(what)) throw noComparison(what, 'complex', at, scope);
  const names = [...families].map((family) => familyNames[family]).join(' and ');
  if (families.size > 1) throw mismatchAt(at, scope, `${what} compares items of the types ${names}`);
  requireOneEnumeration(args, at, scope);
  if ([...families].some((family) => incomparable.has(family)))
    throw mismatchAt(at, scope, `${what} cannot compare items of the types ${names}`);
}

/** `eq` and `ne` of two collections (URL conventions 5.1.1.1). */
export function checkSameItems({ at }: BinaryExpr, operator: 'eq' | 'ne', collections: readonly TypedExpr[], scope: Scope): TypedExpr {
  const sides = matchArguments(collections, scope);
  requireComparableItems(operator, sides, at, scope);
  const equal: TypedExpr = { kind: 'call', type: 'Edm.Boolean', nullable: false, method: sameItems, arguments: sides };
  return operator === 'eq' ? equal : negated(equal);
}

/** Types whose values are strings in JSON but literals without quotes in a URL (JSON format 7.1; URL conventions 5.1.1.14.2). */
const written = ['Edm.Date', 'Edm.TimeOfDay', 'Edm.DateTimeOffset', 'Edm.Guid', 'Edm.Binary'] as const;

type WrittenType = (typeof written)[number];

function isWritten(type: TypedExpr['type']): type is WrittenType {
  return written.some((one) => one === type);
}

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

function storedText(text: string, type: WrittenType): string | undefined {
  const planned = planValue('item', { type }, text, { ieee754Compatible: false });
  return 'value' in planned && typeof planned.value === 'string' ? planned.value : undefined;
}
