import { excerpt } from '../errors/suggest.js';
import type { LiteralType } from './ast.js';
import { operatorNamed } from './operators.js';
import { identifier } from '../edm/identifier.js';

/** One form that a literal without quotes may have. */
export interface LiteralForm {
  readonly pattern: RegExp;
  readonly type: (text: string) => LiteralType;
  /** Why a text of the right form is invalid. */
  readonly fault?: (text: string) => string | undefined;
}

/** Literals that begin with a digit or a sign; a new one is a row here (ABNF rule primitiveLiteral). */
export const plainLiterals: readonly LiteralForm[] = [
  { pattern: /^[-+]?\d+$/, type: integerType },
  { pattern: /^[-+]?\d+\.\d+$/, type: () => 'Edm.Decimal' },
  { pattern: /^[-+]?\d+(?:\.\d+)?e[-+]?\d+$/i, type: () => 'Edm.Double', fault: doubleFault },
  // The suffixes of OData 2 and 3.
  { pattern: /^[-+]?\d+l$/i, type: (text) => integerType(withoutSuffix(text)) },
  { pattern: /^[-+]?\d+(?:\.\d+)?m$/i, type: () => 'Edm.Decimal' },
  { pattern: /^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?[fd]$/i, type: () => 'Edm.Double', fault: (text) => doubleFault(withoutSuffix(text)) },
  { pattern: /^-?\d{4,10}-\d\d-\d\d$/, type: () => 'Edm.Date', fault: dateFault },
  { pattern: /^\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?$/, type: () => 'Edm.TimeOfDay', fault: timeFault },
  {
    pattern: /^-?\d{4,10}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?(?:Z|[-+]\d\d:\d\d)$/i,
    type: () => 'Edm.DateTimeOffset',
    fault: dateTimeFault,
  },
];

/** One form of literal that is a word with quotes, such as `duration'P1D'`. */
interface QuotedForm {
  readonly type: LiteralType;
  readonly example: string;
  readonly pattern: RegExp;
  readonly canonical: (text: string) => string;
}

/** Base64url (ABNF rule binaryValue): the bits of the last character that belong to no byte are zero, as encoders write them. */
export const binaryForm = /^(?:[\w-]{4})*(?:[\w-]{2}[AEIMQUYcgkosw048]=?|[\w-][AQgw](?:==)?)?$/;

/** Literals that are a word with quotes; a new one is a row here. */
export const quotedLiterals: ReadonlyMap<string, QuotedForm> = new Map<string, QuotedForm>([
  [
    'duration',
    {
      type: 'Edm.Duration',
      example: `duration'P1DT2H30M'`,
      // A plus sign that was not percent-encoded arrives as a space.
      pattern: /^[-+ ]?P(?=\d|T\d)(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/i,
      canonical: (text) => text.toUpperCase().replace(/^[+ ]/, ''),
    },
  ],
  [
    'binary',
    {
      type: 'Edm.Binary',
      example: `binary'T0RhdGE='`,
      pattern: binaryForm,
      canonical: (text) => text.replace(/=+$/, ''),
    },
  ],
  // The planner reads the shape, because support depends on its kind.
  [
    'geography',
    { type: 'Edm.Geography', example: `geography'SRID=4326;POINT(-79.4 43.7)'`, pattern: /\S/, canonical: (text) => text.trim() },
  ],
  ['geometry', { type: 'Edm.Geometry', example: `geometry'SRID=0;POINT(1 2)'`, pattern: /\S/, canonical: (text) => text.trim() }],
]);

/** Quoted prefixes of OData before 4.0, with their replacement. */
export const retiredLiterals: ReadonlyMap<string, string> = new Map([
  ['datetime', 'a date-time without quotes, such as 2024-01-31T00:00:00Z'],
  ['datetimeoffset', 'a date-time without quotes, such as 2024-01-31T00:00:00Z'],
  ['date', 'a date without quotes, such as 2024-01-31'],
  ['time', 'a time without quotes, such as 13:20:00'],
  ['timeofday', 'a time without quotes, such as 13:20:00'],
  ['guid', 'a GUID without quotes'],
  ['x', `binary'T0RhdGE='`],
]);

/** The canonical text of a literal: no plus sign, no suffix, an exponent in doubles, letters of dates in upper case. */
export function canonicalLiteral(text: string, type: LiteralType): string {
  const plain = withoutSuffix(text).replace(/^\+/, '');
  if (type !== 'Edm.Double') return plain.toUpperCase();
  return /e/i.test(plain) ? plain.toLowerCase() : `${plain}e0`;
}

/** A number without the suffix that it has in OData 2 and 3: `7L`, `1.5m`, `2d`, `3.14f`. */
export function withoutSuffix(text: string): string {
  return text.replace(/^([-+]?\d[\d.]*(?:e[-+]?\d+)?)[lmfd]$/i, '$1');
}

function integerType(text: string): LiteralType {
  const digits = text.replace(/^[-+]?0*/, '');
  const limit = text.startsWith('-') ? '9223372036854775808' : '9223372036854775807';
  const fits = digits.length < limit.length || (digits.length === limit.length && digits <= limit);
  return fits ? 'Edm.Int64' : 'Edm.Decimal';
}

// The float is only checked; the text itself is the value.
function doubleFault(text: string): string | undefined {
  const value = Number(text);
  const vanished = value === 0 && /[1-9]/.test(text.replace(/e.*$/i, ''));
  return Number.isFinite(value) && !vanished ? undefined : `${excerpt(text)} is outside the range of Edm.Double`;
}

/** Why a date-time (ABNF rule dateTimeOffsetValue) is none, or undefined; a leap second is the last one of a day in UTC. */
export function dateTimeFault(text: string): string | undefined {
  const [date = '', rest = ''] = text.toUpperCase().split('T');
  const time = rest.split(/[-+Z]/)[0] ?? '';
  const offset = rest.slice(time.length);
  const fault = dateFault(date) ?? (offset === 'Z' ? undefined : offsetFault(offset));
  return fault ?? timeFault(isLeapSecond(time, offset) ? time.replace(':60', ':59') : time);
}

function isLeapSecond(time: string, offset: string): boolean {
  if (time.slice(5, 8) !== ':60') return false;
  const shift = offset === 'Z' ? 0 : minutesOf(offset.slice(1)) * (offset.startsWith('-') ? -1 : 1);
  return (minutesOf(time) - shift + 2880) % 1440 === 1439;
}

function minutesOf(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
}

/** ABNF rule enum: members or their numbers, with commas between them. */
const enumValue = new RegExp(`^(?:${identifier}|[-+]?\\d+)$`, 'u');

/** Why the text in the quotes of an enumeration literal is invalid, or undefined. */
export function enumFault(text: string, type: string): string | undefined {
  if (text.split(',').every((member) => enumValue.test(member))) return undefined;
  return `${excerpt(`${type}'${text}'`)} is malformed, write one member or several with commas and no spaces: ${excerpt(type)}'One,Two'`;
}

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Why `YYYY-MM-DD` (ABNF rule date) is not a day of the calendar, or undefined. */
export function dateFault(text: string): string | undefined {
  const year = text.slice(0, -6);
  const month = Number(text.slice(-5, -3));
  const day = Number(text.slice(-2));
  const name = monthNames[month - 1];
  if (name === undefined) return `${text} is not a date: a year has the months 01 to 12`;
  const days = daysOf(year, month);
  if (day >= 1 && day <= days) return undefined;
  return `${text} is not a date: ${name} ${year} has ${days} days`;
}

/** Why `hh:mm[:ss[.fraction]]` (ABNF rule timeOfDay) is not a time of day, or undefined. */
function timeFault(text: string): string | undefined {
  const [hour = 0, minute = 0, second = 0] = text.split(':').map(Number);
  if (hour > 23) return `${text} is not a time: hours go from 00 to 23`;
  if (minute > 59) return `${text} is not a time: minutes go from 00 to 59`;
  return second < 60 ? undefined : `${text} is not a time: seconds go from 00 to 59`;
}

/** Why `Z` or `+hh:mm` is not an offset, or undefined; the limit of 14 hours is that of XML Schema and of the world's time zones. */
function offsetFault(text: string): string | undefined {
  const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number);
  const valid = minutes < 60 && hours * 60 + minutes <= 14 * 60;
  return valid ? undefined : `${text} is not an offset: offsets go from -14:00 to +14:00`;
}

// The calendar repeats every 400 years, so the last four digits decide about leap years.
function daysOf(year: string, month: number): number {
  const short = Number(year.slice(-4));
  const leap = (short % 4 === 0 && short % 100 !== 0) || short % 400 === 0;
  return month === 2 && leap ? 29 : (monthDays[month - 1] ?? 0);
}

interface Advice {
  readonly pattern: RegExp;
  readonly say: (text: string, groups: readonly string[]) => string;
}

// oxfmt-ignore
/** Advice for text that begins like a number and is none; the first matching row is used. */
const advices: readonly Advice[] = [
  { pattern: /^-?\d{4,}-\d\d-\d\dT[\d:]+$/i, say: (text) => `a date-time ends with Z or an offset, write ${fullTime(text)}Z` },
  { pattern: /\.\d{13,}/, say: () => 'fractional seconds have at most 12 digits' },
  { pattern: /^\d{4}-\d{1,2}-\d{1,2}$/, say: (text) => `a date is written YYYY-MM-DD, such as ${paddedDate(text)}` },
  { pattern: /^\d{1,2}:\d{1,2}(?::\d{1,2})?$/, say: () => 'a time is written hh:mm:ss, such as 09:05:00' },
  { pattern: /^([-+]?[\d.]+)[lfdm]$/i, say: (_, [number]) => `a number has no suffix in OData 4, write ${number}` },
  { pattern: /^\d+(?:_\d+)+$/, say: (text) => `a number has no digit separators, write ${text.replaceAll('_', '')}` },
  { pattern: /^([\d.]+)k$/i, say: (_, [number]) => `a number is written with all digits, as ${number}000` },
  { pattern: /^(\d+)\.\.(\d+)$/, say: (_, [low, high]) => `a range is two comparisons, write ‹number› ge ${low} and ‹number› le ${high}` },
  { pattern: /^([-+]?\d+)\.$/, say: (_, [number]) => `digits are missing after the point, write ${number} or ${number}.0` },
  { pattern: /^([\d.]+)\+([\d.]+)$/, say: (_, [left, right]) => `the operator is add, write ${left} add ${right}` },
  { pattern: /^(\d{4})-(0[1-9]|1[0-2])$/, say: (text, [year, month]) => `a date has a day too, write ${text}-01, or year(‹date›) eq ${year} and month(‹date›) eq ${Number(month)}; a difference is written ${year} sub ${Number(month)}` },
  { pattern: /^([\d.]+)-([\d.]+)$/, say: (_, [left, right]) => `the operator is sub, write ${left} sub ${right}` },
  { pattern: /^[0-9a-f]{4,}-[0-9a-f-]*$/i, say: () => 'a GUID has 8-4-4-4-12 hexadecimal digits, a date is written YYYY-MM-DD' },
];

/** The advice for text that begins with a digit but is no literal. */
export function plainLiteralAdvice(text: string): string {
  const word = /[a-z]+$/i.exec(text.slice(-8))?.[0] ?? '';
  if (operatorNamed(word)) return `a space is missing before ${word}`;
  const shown = excerpt(text);
  for (const { pattern, say } of advices) {
    const match = pattern.exec(text);
    if (match)
      return `'${shown}' is malformed: ${say(
        shown,
        match.slice(1).map((part) => excerpt(part)),
      )}`;
  }
  return `'${shown}' is not a number, date, time or GUID; strings need single quotes`;
}

function fullTime(text: string): string {
  return text.length === 16 ? `${text}:00` : text;
}

function paddedDate(text: string): string {
  return text
    .split('-')
    .map((part) => part.padStart(2, '0'))
    .join('-');
}
