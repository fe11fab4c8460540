import type { PrimitiveTypeName } from '../../edm/index.js';
import type { CommonExpr } from '../../expression/ast.js';
import type { TypedExpr } from '../typed-expr.js';
import { planValue } from './plan-value.js';

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
export function jsonItems(array: Extract<TypedExpr, { kind: 'array' }>, { type }: TypedExpr): typeof array {
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
