import { cast } from './casts.js';
import { isNum, type Value } from './values.js';

/** The types that a place may give a property which the model does not declare; `any` asks only whether it is there. */
export type DynamicType = 'string' | 'decimal' | 'boolean' | 'date' | 'timestamp' | 'any';

/** A value of no declared type in the type of its place; one of another type is null. */
export function dynamicValue(value: Value, type: DynamicType): Value {
  if (type === 'any') return value;
  if (type === 'string') return typeof value === 'string' ? value : null;
  if (type === 'decimal') return isNum(value) ? value : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  return typeof value === 'string' ? cast(value, type === 'date' ? 'Edm.Date' : 'Edm.DateTimeOffset') : null;
}
