import { type Field, isNumeric, type PrimitiveTypeName } from '../../edm/index.js';
import { compareDecimal } from '../../json/canonical-number.js';
import { durationMicros } from '../../json/duration.js';

type Order = -1 | 0 | 1;

/** The fault of a checked text beyond the limits of its property, as the end of a sentence. */
export function validateLimits(field: Field, text: string): string | undefined {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = field;
  const low = minimum === undefined ? 1 : compareValues(type, text, minimum);
  if (low === -1 || (low === 0 && exclusiveMinimum)) return `: it must be ${exclusiveMinimum ? 'more than' : 'at least'} ${minimum}`;
  const high = maximum === undefined ? -1 : compareValues(type, text, maximum);
  if (high === 1 || (high === 0 && exclusiveMaximum)) return `: it must be ${exclusiveMaximum ? 'less than' : 'at most'} ${maximum}`;
  return undefined;
}

/** Compares two checked texts of a type, whichever way they are written; undefined for INF and NaN. */
export function compareValues(type: PrimitiveTypeName, one: string, other: string): Order | undefined {
  if (isNumeric(type)) return compareDecimal(one, other);
  switch (type) {
    case 'Edm.Duration':
      return ordered(durationMicros(one), durationMicros(other));
    case 'Edm.DateTimeOffset':
      return ordered(utcText(one).slice(0, -1), utcText(other).slice(0, -1));
    case 'Edm.TimeOfDay':
      return ordered(timeText(one), timeText(other));
    case 'Edm.Guid':
      return ordered(one.toLowerCase(), other.toLowerCase());
    default:
      return ordered(one, other);
  }
}

function ordered<Value extends string | bigint>(one: Value, other: Value): Order {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

const timestampParts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)$/i;

/** A checked date-time in UTC without trailing zeros, as columns return it. */
export function utcText(text: string): string {
  const [, minutes = '', seconds = '00', fraction = '', offset = 'Z'] = timestampParts.exec(text) ?? [];
  const start = new Date(`${minutes.toUpperCase()}:00${offset.toUpperCase()}`).getTime();
  // A leap second is the one after it, as in columns.
  const utc = new Date(start + Number(seconds) * 1000).toISOString().replace(/\.\d+Z$/, '');
  return `${utc}${fractionText(fraction)}Z`;
}

/** A checked time of day with its seconds, without trailing zeros. */
export function timeText(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  return `${whole.length === 5 ? `${whole}:00` : whole}${fractionText(fraction)}`;
}

function fractionText(digits: string): string {
  const significant = digits.replace(/0+$/, '');
  return significant === '' ? '' : `.${significant}`;
}
