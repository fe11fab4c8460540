import { type Field, isFloating, isGeo, primitives, type PrimitiveTypeName } from '../../edm/index.js';
import { listAdvice } from '../../errors/suggest.js';
import { binaryForm, dateFault, dateTimeFault } from '../../expression/literals.js';
import { canonicalDuration } from '../../json/duration.js';
import { canonicalDecimal, decimalText } from '../../json/canonical-number.js';
import type { Json } from '../../json/json.js';
import { compareValues, timeText, utcText } from './compare-values.js';

const form: { readonly [Name in PrimitiveTypeName]?: RegExp } = {
  'Edm.Decimal': /^[+-]?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/,
  'Edm.Single': /^[+-]?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$|^-?INF$|^NaN$/,
  'Edm.Double': /^[+-]?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$|^-?INF$|^NaN$/,
  'Edm.Boolean': /^(true|false)$/,
  'Edm.Guid': /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  'Edm.TimeOfDay': /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,12})?)?$/,
  'Edm.Duration': /^-?P(?=.)(\d{1,9}D)?(T(?=.)(\d{1,9}H)?(\d{1,9}M)?(\d{1,9}(\.\d{1,12})?S)?)?$/,
  'Edm.Binary': /^[\w-]*={0,2}$/,
};

const examples: { readonly [Name in PrimitiveTypeName]?: string } = {
  'Edm.Guid': ', 8-4-4-4-12 hexadecimal digits',
  'Edm.TimeOfDay': ', such as 23:59:00',
  'Edm.Duration': ', such as P1D or PT2H30M',
  'Edm.Binary': ', in base64url: letters, digits, - and _',
};

/** The day of a date-time at midnight UTC, as DevExtreme, Kendo and AG Grid compare dates, and Wijmo sends them. */
export function dayAtMidnight(text: string): string | undefined {
  return /^(.*)T00:00(?::00(?:\.0+)?)?Z$/i.exec(text)?.[1];
}

/** The fault of a value's text, as the end of a sentence; undefined if it fits type and facets. */
export function validateText(field: Field, text: string): string | undefined {
  return validateForm(field.type, text) ?? validateFacets(field, text);
}

function validateForm(type: PrimitiveTypeName, text: string): string | undefined {
  const { range } = primitives[type];
  if (range !== undefined) return validateWhole(text, range);
  if (type === 'Edm.Date') return validateDate(text);
  if (type === 'Edm.DateTimeOffset') return validateTimestamp(text);
  if (form[type]?.test(text) === false) return `: it must be an ${type}${examples[type] ?? ''}`;
  return validateFloat(type, text);
}

// PostgreSQL reports out-of-range floating numbers only when storing.
function validateFloat(type: PrimitiveTypeName, text: string): string | undefined {
  const numbers = hasFloats(type) ? (text.match(/\d[\d.]*(?:e[-+]?\d+)?/gi) ?? []) : [];
  const round = type === 'Edm.Single' ? Math.fround : Number;
  return numbers.every((number) => isRepresentable(number, round(Number(number)))) ? undefined : `: out of the range of ${type}`;
}

const hasFloats = (type: PrimitiveTypeName): boolean => isFloating(type) || isGeo(type);

// The float is only checked; the text itself is the value.
function isRepresentable(text: string, value: number): boolean {
  return Number.isFinite(value) && (value !== 0 || !/[1-9]/.test(text.replace(/e.*$/i, '')));
}

// Programs that have floating numbers only write 3 as 3.0.
function notWhole(text: string): string {
  const [, whole] = /^([+-]?\d{1,30})\.0+$/.exec(text) ?? [];
  return whole === undefined ? ': it must be a whole number' : `: a whole number has no decimal point, write ${whole}`;
}

function validateWhole(text: string, [low, high]: readonly [string, string]): string | undefined {
  if (!/^[+-]?\d{1,30}$/.test(text)) return notWhole(text);
  const value = BigInt(text.replace(/^\+/, ''));
  return value < BigInt(low) || value > BigInt(high) ? `: it must be from ${low} to ${high}` : undefined;
}

function validateDate(text: string): string | undefined {
  if (isDate(text)) return undefined;
  const [, date = ''] = timestamp.exec(text) ?? [];
  return isDate(date)
    ? ': a date is written YYYY-MM-DD, without a time of day'
    : `: a date is written YYYY-MM-DD and must exist${yearRule(text)}`;
}

// JSON has further years (ABNF rule year), which the service does not store.
function yearRule(text: string): string {
  return /^(?:-\d{4,}|0000|\d{5,})-\d\d-\d\d/.test(text) ? ', in the years 0001 to 9999' : '';
}

// The year 0 and earlier ones are valid in the standard, but not in PostgreSQL.
function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !text.startsWith('0000') && dateFault(text) === undefined;
}

const timestamp = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?:Z|[+-]\d{2}:\d{2})$/i;

function validateTimestamp(text: string): string | undefined {
  const [, date = ''] = timestamp.exec(text) ?? [];
  if (!isDate(date) || dateTimeFault(text) !== undefined)
    return `: a date-time is written YYYY-MM-DDThh:mm:ssZ and must exist${yearRule(text)}`;
  // An offset or a leap second can move it out of the range.
  return /^(?!0000)\d{4}-/.test(utcText(text)) ? undefined : ': in UTC it must be in the years 0001 to 9999';
}

function validateFacets(field: Field, text: string): string | undefined {
  const cut = field.type === 'Edm.Binary' ? binaryFault(text) : undefined;
  if (cut !== undefined) return cut;
  if (field.maxLength !== undefined && isLonger(field, text, field.maxLength))
    return `: at most ${field.maxLength} ${field.type === 'Edm.Binary' ? 'bytes' : 'characters'}`;
  if (field.allowedValues && !isListed(field, field.allowedValues, text)) return listAdvice(field.allowedValues, text);
  if (field.pattern !== undefined && !new RegExp(field.pattern, 'u').test(text)) return `: it must match ${field.pattern}`;
  return validateFraction(field, text);
}

// A value may be written in several ways: 1.5 as 1.50, a GUID in capitals.
function isListed({ type }: Field, allowed: readonly string[], text: string): boolean {
  return allowed.includes(text) || allowed.some((one) => compareValues(type, one, text) === 0);
}

// Characters beyond U+FFFF have two units; texts that are short enough in units need no counting. For binary data bytes
// count (CSDL XML 4.01, 7.2.2), three for four characters.
function isLonger({ type }: Field, text: string, most: number): boolean {
  if (type === 'Edm.Binary') return Math.floor((text.replace(/=+$/, '').length * 3) / 4) > most;
  return text.length > most && (text.length > 2 * most || [...text].length > most);
}

function binaryFault(text: string): string | undefined {
  if (binaryForm.test(text)) return undefined;
  return binaryForm.test(text.replace(/=+$/, ''))
    ? ': its last group of four characters is filled with =, or has none'
    : ': its last character has bits that belong to no byte, so it may have been cut off';
}

// Times are stored with at most the precision of their type, so digits that would be lost are rejected.
function validateFraction({ type, precision = 6 }: Field, text: string): string | undefined {
  if (type !== 'Edm.DateTimeOffset' && type !== 'Edm.TimeOfDay' && type !== 'Edm.Duration') return undefined;
  const fraction = /\.(\d+)/.exec(text)?.[1]?.replace(/0+$/, '') ?? '';
  return fraction.length > precision ? `: at most ${precision} digits of fractional seconds` : undefined;
}

/** A checked value of a body: its text, and its JSON where it is stored as JSON. */
export interface CheckedValue {
  readonly text: string;
  readonly json?: Json;
}

/** A checked value in the form stored within complex values. */
export function storedValue(field: Pick<Field, 'type'>, { text, json }: CheckedValue): Json {
  return json ?? storedJson(field, text);
}

/** The text of a checked value in the form stored within complex values, which is that of answers. */
export function storedJson({ type }: Pick<Field, 'type'>, text: string): Json {
  switch (primitives[type].cell) {
    case 'boolean':
      return text === 'true';
    case 'number':
      return { kind: 'number', text: BigInt(text.replace(/^\+/, '')).toString() };
    case 'bigNumber':
      return { kind: 'number', text: numberText(text) };
    case 'double':
      return /[FN]/.test(text) ? text : { kind: 'number', text };
    case 'timestamp':
      return utcText(text);
    case 'time':
      return timeText(text);
    case 'duration':
      return canonicalDuration(text);
    case 'guid':
      return text.toLowerCase();
    case 'binary':
      return text.replace(/=+$/, '');
    default:
      return text;
  }
}

// A number sent as a string may begin with a plus or zeros, which JSON does not permit; fraction digits stay.
function numberText(text: string): string {
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)) return text;
  const decimal = canonicalDecimal(text);
  return decimal === undefined ? '0' : decimalText(decimal);
}
