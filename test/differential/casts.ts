import { dateOf, temporalOf, temporalText, timeOf } from './calendar.js';
import { truncated } from './operators.js';
import { compareValues, decimalText, isNum, isTemporal, numberOf, type Num, type Value } from './values.js';

/** `cast`: a value that the type cannot hold gives null (URL conventions 5.1.1.10.1). */
export function cast(value: Value, to: string): Value {
  if (value === null) return null;
  if (to === 'Edm.String') return textOf(value);
  if (typeof value === 'string' && texts[to] !== undefined) return texts[to](value);
  if (to === 'Edm.Date') return isTemporal(value) ? dateOf(value) : null;
  if (to === 'Edm.TimeOfDay') return isTemporal(value) ? timeOf(value) : null;
  return typeof value === 'string' ? fromText(value, to) : isNum(value) ? fit(value, to) : value;
}

/** Parses a text by JavaScript's calendar. */
const texts: { readonly [type: string]: ((text: string) => Value) | undefined } = {
  'Edm.Boolean': (text) => (text === 'true' || text === 'false' ? text === 'true' : null),
  'Edm.Date': (text) => (/^\d{4}-\d\d-\d\d$/.test(text) && isDay(text) ? temporalOf('date', text) : null),
  'Edm.TimeOfDay': (text) => (isClock(text) ? temporalOf('time', micros(text)) : null),
  'Edm.DateTimeOffset': (text) =>
    /^\d{4}-\d\d-\d\dT[^Z]*Z?$/.test(text) && isDay(text.slice(0, 10)) && isClock(text.slice(11).replace('Z', ''))
      ? temporalOf('timestamp', micros(text))
      : null,
  'Edm.Guid': (text) => (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? { kind: 'guid', text: text.toLowerCase() } : null),
  'Edm.Duration': (text) => durationOf(text),
};

// Seconds are optional, and cut to microseconds.
function micros(text: string): string {
  return text.replace(/(\.\d{6})\d+/, '$1').replace(/((?:^|T)\d\d:\d\d)(?!:)(?=Z?$)/, '$1:00');
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && !text.startsWith('0000');
}

function isClock(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,12})?)?$/.test(text);
}

function durationOf(text: string): Value {
  const [all, sign, days = '0', hours = '0', minutes = '0', seconds = '0'] =
    /^([-+]?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text) ?? [];
  if (all === undefined || /[PT]$/.test(all)) return null;
  const micros = (((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)) * 1_000_000n;
  return { kind: 'duration', micros: sign === '-' ? -micros : micros };
}

/** The whole numbers that a type can hold. */
const ranges: { readonly [name: string]: readonly [string, string] | undefined } = {
  'Edm.Byte': ['0', '255'],
  'Edm.Int16': ['-32768', '32767'],
  'Edm.Int32': ['-2147483648', '2147483647'],
  'Edm.Int64': ['-9223372036854775808', '9223372036854775807'],
};

// A string is cast when it holds a literal of the type, as payloads write it.
function fromText(text: string, to: string): Value {
  const form = ranges[to] === undefined ? /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i : /^[-+]?\d+$/;
  const tooLarge = /e[-+]?\d{4}/i.test(text); // The service keeps no decimal of so many digits.
  return form.test(text) && !tooLarge ? fit(numberOf(text), to) : null;
}

// The standard leaves the rounding open; the service cuts the fraction off.
function fit(value: Num, to: string): Value {
  const range = ranges[to];
  if (range === undefined) return value;
  const cut = truncated(value);
  const [low, high] = range.map(numberOf);
  return cut && low && high && compareValues(low, cut) <= 0 && compareValues(cut, high) <= 0 ? cut : null;
}

function textOf(value: NonNullable<Value>): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (isTemporal(value)) return temporalText(value);
  return isNum(value) ? decimalText(value) : value.text;
}
