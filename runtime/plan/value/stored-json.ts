import { primitives, type Field } from '../../edm/index.js';
import { canonicalDuration } from '../../json/duration.js';
import { canonicalDecimal, decimalText } from '../../json/canonical-number.js';
import type { Json } from '../../json/json.js';

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
    case 'point':
      return pointJson(text);
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

const timestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)$/i;

/** A date-time in UTC without trailing zeros, as columns return it. */
function utcText(text: string): string {
  const [, minutes = '', seconds = '00', fraction = '', offset = 'Z'] = timestamp.exec(text) ?? [];
  const utc = new Date(`${minutes.toUpperCase()}:${seconds}${offset.toUpperCase()}`).toISOString().replace(/\.\d+Z$/, '');
  return `${utc}${fractionText(fraction)}Z`;
}

function timeText(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  return `${whole.length === 5 ? `${whole}:00` : whole}${fractionText(fraction)}`;
}

function fractionText(digits: string): string {
  const significant = digits.replace(/0+$/, '');
  return significant === '' ? '' : `.${significant}`;
}

// `(x,y)`, the form of checked bodies.
function pointJson(text: string): Json {
  const items = text
    .slice(1, -1)
    .split(',')
    .map((number) => ({ kind: 'number' as const, text: number }));
  return {
    kind: 'object',
    members: new Map<string, Json>([
      ['type', 'Point'],
      ['coordinates', { kind: 'array', items }],
    ]),
  };
}
