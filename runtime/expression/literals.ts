import { dateFault, offsetFault, timeFault } from './calendar.js';
import { excerpt } from './quote.js';
import type { LiteralType } from './ast.js';

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

/** Literals that are a word with quotes; a new one is a row here. */
export const quotedLiterals: ReadonlyMap<string, QuotedForm> = new Map<string, QuotedForm>([
  [
    'duration',
    {
      type: 'Edm.Duration',
      example: `duration'P1DT2H30M'`,
      pattern: /^[-+]?P(?=\d|T\d)(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/i,
      canonical: (text) => text.toUpperCase().replace(/^\+/, ''),
    },
  ],
  [
    'binary',
    {
      type: 'Edm.Binary',
      example: `binary'T0RhdGE='`,
      pattern: /^(?:[\w-]{4})*(?:[\w-]{2}(?:==)?|[\w-]{3}=?)?$/,
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

/** The canonical text of a literal: no plus sign, letters of dates in upper case. */
export function canonicalLiteral(text: string, type: LiteralType): string {
  if (type === 'Edm.Double') return text.replace(/^\+/, '').toLowerCase();
  return text.replace(/^\+/, '').toUpperCase();
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

function dateTimeFault(text: string): string | undefined {
  const [date = '', rest = ''] = text.toUpperCase().split('T');
  const time = rest.split(/[-+Z]/)[0] ?? '';
  const offset = rest.slice(time.length);
  return dateFault(date) ?? timeFault(time) ?? (offset === 'Z' ? undefined : offsetFault(offset));
}
