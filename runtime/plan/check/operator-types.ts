import { mismatchAt, type Scope } from '../scope.js';
import { primitives, type PrimitiveTypeName } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { familyNames, shapeFamilies } from '../../expression/methods.js';
import { type ExprFamily, isPropertyType } from '../expr-facts.js';
import type { ComparisonOperator, ArithmeticOperator, TypedExpr } from '../typed-expr.js';

/** The result of arithmetic after numeric promotion (URL conventions 5.1.1.16): whole, decimal or floating. */
export function arithmeticType(operator: ArithmeticOperator, left: TypedExpr, right: TypedExpr): PrimitiveTypeName {
  const type = commonNumberType([left, right]);
  return type === 'Edm.Int64' && operator === 'divby' ? 'Edm.Decimal' : type;
}

/** The type that can hold each of several numbers. */
export function commonNumberType(numbers: readonly TypedExpr[]): PrimitiveTypeName {
  const rank = Math.max(...numbers.map(rankOf));
  if (rank > decimal) return 'Edm.Double';
  return rank === decimal ? 'Edm.Decimal' : 'Edm.Int64';
}

const decimal = 5;

function rankOf({ type }: TypedExpr): number {
  return isPropertyType(type) ? (primitives[type].rank ?? 0) : 0;
}

/** Arithmetic with dates, times and durations (URL conventions 5.1.1.2.1 to 5.1.1.2.5); a duration may be on either side of `mul`. */
const temporal: readonly (readonly [operators: string, left: ExprFamily, right: ExprFamily, result: PrimitiveTypeName])[] = [
  ['add sub', 'timestamp', 'duration', 'Edm.DateTimeOffset'],
  ['add sub', 'date', 'duration', 'Edm.Date'],
  ['add sub', 'duration', 'duration', 'Edm.Duration'],
  ['sub', 'timestamp', 'timestamp', 'Edm.Duration'],
  ['sub', 'date', 'date', 'Edm.Duration'],
  ['mul div divby', 'duration', 'number', 'Edm.Duration'],
  ['mul', 'number', 'duration', 'Edm.Duration'],
];

/** The result of arithmetic with times; undefined if there is none. */
export function temporalType(operator: ArithmeticOperator, [left, right]: readonly ExprFamily[]): PrimitiveTypeName | undefined {
  return temporal.find(([operators, a, b]) => a === left && b === right && operators.split(' ').includes(operator))?.[3];
}

/** The advice for a number in place of a duration, or for incompatible times, as the end of a message. */
export function timeHint(operator: ArithmeticOperator, [left, right]: readonly ExprFamily[]): string {
  if (operator !== 'add' && operator !== 'sub') return '';
  if ((left === 'timestamp' || left === 'date') && right === 'number') return ` A span of 30 days is written duration'P30D'.`;
  if (left === 'duration' && (right === 'timestamp' || right === 'date')) return ' Write the duration as the right operand.';
  const mixed = (left === 'date' && right === 'timestamp') || (left === 'timestamp' && right === 'date');
  return mixed ? ' Apply date(...) to the date-time.' : '';
}

/** Families without equality; their values are only compared with null (URL conventions 5.1.1.1). */
const incomparable: ReadonlySet<ExprFamily> = new Set<ExprFamily>([...shapeFamilies, 'collection', 'complex']);

const ordering: ReadonlySet<string> = new Set<ArithmeticOperator | ComparisonOperator>(['gt', 'ge', 'lt', 'le']);

/** Whether values of a family can be compared for equality. */
export function hasEquality(family: ExprFamily): boolean {
  return !incomparable.has(family);
}

/** Whether values of a family are less or greater than others. */
export function hasOrder(family: ExprFamily): boolean {
  return hasEquality(family) && family !== 'binary';
}

/** The error for an operator on values that it cannot compare. */
export function noComparison(operator: string, family: ExprFamily, at: number, { option }: Scope): Error {
  if (family === 'complex' && !ordering.has(operator))
    return errors
      .notImplemented(
        `${operator} of complex values`,
        'Compare their properties one by one, those of the items of a collection in any(...).',
      )
      .at(option);
  return mismatchAt(at, { option }, `${operator} cannot compare ${describeFamily(family)}`);
}

/** The name of a family in a message. */
export function describeFamily(family: ExprFamily): string {
  return family === undefined ? 'null' : familyNames[family];
}
