import { keyFieldOf } from '../../edm/index.js';
import { type EntityType } from '../../edm/entity-type.js';
import { type Field } from '../../edm/field.js';
import { namedMembers } from '../../expression/enum-members.js';

/**
 * The number of distinct keys of a type: the product of its key properties' values, if all have few; otherwise
 * infinite.
 */
export function keyRoom(type: EntityType): number {
  return type.key.length === 0 ? Number.POSITIVE_INFINITY : type.key.reduce((room, name) => room * valuesOf(keyFieldOf(type, name)), 1);
}

/**
 * The value's number of a key property in the sample `index`: the digit of a mixed-radix number, so that two Booleans
 * make four keys and not two.
 */
export function keyIndex(type: EntityType, name: string, index: number): number {
  if (keyRoom(type) === Number.POSITIVE_INFINITY) return index;
  const before = type.key.slice(0, type.key.indexOf(name));
  return Math.floor(index / before.reduce((room, other) => room * valuesOf(keyFieldOf(type, other)), 1));
}

/** The number of distinct sample values. */
function valuesOf(field: Field | undefined): number {
  if (field?.enumeration) return namedMembers(field.enumeration).length;
  if (field?.allowedValues) return field.allowedValues.length;
  const values = field && valuesOfType[field.type]?.(field);
  return values !== undefined && values <= mostOfFew ? values : Number.POSITIVE_INFINITY;
}

/** The most values that a type with few values has; others have enough for all samples. */
const mostOfFew = 2_000;

const valuesOfType: { readonly [Name in Field['type']]?: (field: Field) => number } = {
  'Edm.Boolean': () => 2,
  'Edm.SByte': () => 128,
  'Edm.Byte': () => 256,
  'Edm.Decimal': ({ precision = 9, scale = 0 }) => 10 ** Math.max(precision - scale, 0),
  'Edm.String': ({ maxLength = 255 }) => 36 ** maxLength - 1,
};
