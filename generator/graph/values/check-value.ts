import { type EnumType, type Field, isNumeric, primitives } from '../../../runtime/edm/index.js';
import { enumText, enumValue } from '../../../runtime/expression/enum-members.js';

/** Why a text is no value of the property, as the end of a sentence; `undefined` for a valid one. */
export function checkValue(field: Field, text: string): string | undefined {
  const { enumeration } = field;
  if (enumeration) return checkMember(enumeration, field.allowedValues, text);
  if (field.allowedValues?.every((one) => !isSame(field, one, text))) return 'is not one of the allowed values';
  if (field.maxLength !== undefined && field.type === 'Edm.String' && [...text].length > field.maxLength) {
    return `is longer than MaxLength ${field.maxLength}`;
  }
  const { cell } = primitives[field.type];
  if (cell === 'point' || cell === 'json') return `is on a property of the type ${field.type}, whose values it cannot express here`;
  const form = forms[field.type];
  if (form !== undefined && !form.test(text)) return `is not written as ${field.type}`;
  return outOfRange(field, text) ?? outOfScale(field, text) ?? outOfCalendar(field, text);
}

// A number or a GUID may be written in several ways.
function isSame({ type }: Field, one: string, other: string): boolean {
  if (type === 'Edm.Guid') return one.toLowerCase() === other.toLowerCase();
  return one === other || (isNumeric(type) && Number(one) === Number(other));
}

function checkMember(enumeration: EnumType, allowed: Field['allowedValues'], text: string): string | undefined {
  const value = enumValue(enumeration, text);
  if (value === undefined) return `is not a value of ${enumeration.qualifiedName}`;
  return allowed === undefined || allowed.includes(enumText(enumeration, value)) ? undefined : 'is not one of the allowed values';
}

const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const whole = /^-?\d+$/;
const date = String.raw`-?\d{4,}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const time = String.raw`([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,12})?)?`;

// The literal forms of each type (ABNF, section 7); strings have any.
const forms: { readonly [type: string]: RegExp | undefined } = {
  'Edm.Boolean': /^(true|false)$/,
  'Edm.Byte': whole,
  'Edm.SByte': whole,
  'Edm.Int16': whole,
  'Edm.Int32': whole,
  'Edm.Int64': whole,
  'Edm.Decimal': number,
  'Edm.Single': /^(-?INF|NaN|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/,
  'Edm.Double': /^(-?INF|NaN|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/,
  'Edm.Date': new RegExp(`^${date}$`),
  'Edm.TimeOfDay': new RegExp(`^${time}$`),
  'Edm.DateTimeOffset': new RegExp(`^${date}T${time}(Z|[+-](0\\d|1[0-4]):[0-5]\\d)$`),
  'Edm.Duration': /^-?P(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/,
  'Edm.Guid': /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'Edm.Binary': /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3}=*)?$/,
};

function outOfRange({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Field, text: string): string | undefined {
  const { range, rank } = primitives[type];
  if (rank === undefined) return undefined;
  if (isBeyond(type, text)) return `is out of the range of ${type}`;
  if (range !== undefined && (BigInt(text) < BigInt(range[0]) || BigInt(text) > BigInt(range[1]))) return `is outside ${type}`;
  if (minimum !== undefined && Number(text) < Number(minimum)) return `is below the minimum ${minimum}`;
  if (maximum !== undefined && Number(text) > Number(maximum)) return `is above the maximum ${maximum}`;
  const isBound = (exclusiveMinimum && Number(text) === Number(minimum)) || (exclusiveMaximum && Number(text) === Number(maximum));
  return isBound ? 'is a limit that is none of the values (Validation.Exclusive)' : undefined;
}

function isBeyond(type: Field['type'], text: string): boolean {
  if ((type !== 'Edm.Single' && type !== 'Edm.Double') || /[FN]/.test(text)) return false;
  return !Number.isFinite(type === 'Edm.Single' ? Math.fround(Number(text)) : Number(text));
}

function outOfScale({ type, precision, scale }: Field, text: string): string | undefined {
  if (type !== 'Edm.Decimal' || /e/i.test(text)) return undefined;
  const [left = '', right = ''] = text.replace('-', '').split('.');
  if (scale !== undefined && right.replace(/0+$/, '').length > scale) return `has more than ${scale} digits after the point`;
  const room = precision === undefined ? Infinity : precision - (scale ?? 0);
  return left.replace(/^0+/, '').length > room ? `has more than ${room} digits before the point` : undefined;
}

// Values that clients could not write: nonexistent days, days outside of the database's range, and digits that would be
// lost.
function outOfCalendar({ type, precision = 6 }: Field, text: string): string | undefined {
  const [day] = /^-?\d+-\d\d-\d\d/.exec(type === 'Edm.Date' || type === 'Edm.DateTimeOffset' ? text : '') ?? [];
  if (day !== undefined && (!/^(?!0000)\d{4}-/.test(day) || !isDay(day))) return 'is not a date of the years 0001 to 9999';
  const [, digits = ''] =
    /\.(\d+)/.exec(type === 'Edm.DateTimeOffset' || type === 'Edm.TimeOfDay' || type === 'Edm.Duration' ? text : '') ?? [];
  return digits.replace(/0+$/, '').length > precision ? `has more than ${precision} digits of fractional seconds` : undefined;
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
