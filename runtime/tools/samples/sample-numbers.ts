import type { Field } from '../../edm/index.js';
import { wordsOf } from './sample-texts.js';

// prettier-ignore
/** Numbers of the sample with an index, from 0, by the words of a property's name; the first row that matches counts. */
const rows: readonly (readonly [words: RegExp, number: (index: number) => number])[] = [
  [/\byear(?: built)?$/, (index) => 1990 + (index * 7) % 35],
  [/\b(?:bedrooms|bathrooms|rooms|floors|stories|rating|stars)\b/, (index) => 1 + index % 5],
  [/\b(?:list|close|sale|asking|rent) price\b/, (index) => 325_000 + ((index * 17) % 60) * 12_500],
  [/\b(?:price|cost|fee|freight|amount|total|discount)$/, (index) => 19.95 + (index * 37) % 480],
  [/\b(?:salary|income|revenue|budget)$/, (index) => 42_000 + (index * 3_500) % 90_000],
  [/\blatitude$/, (index) => 43.6 + (index % 97) / 500],
  [/\blongitude$/, (index) => -79.6 + (index % 89) / 400],
  [/\bage$/, (index) => 20 + (index * 7) % 60],
  [/\b(?:percent|percentage|rate)$/, (index) => (index * 3) % 100],
  [/\b(?:quantity|units|stock)\b/, (index) => 1 + (index * 7) % 50],
  [/\b(?:area|square feet)$/, (index) => 900 + (index * 53) % 3_000],
];

/** The largest values of integers by type; any larger one holds the rows' numbers. */
const largest: { readonly [type: string]: number | undefined } = { 'Edm.Byte': 255, 'Edm.SByte': 127, 'Edm.Int16': 32_767 };

/** A plausible number for a property by its name, such as a price or a year; undefined for other names and where none fits. */
export function plausibleNumber(name: string, { type, precision = 9, scale = 0 }: Field, index: number): string | undefined {
  const words = wordsOf(name);
  const number = rows.find(([pattern]) => pattern.test(words))?.[1](index);
  if (number === undefined || number > (largest[type] ?? Infinity)) return undefined;
  if (type !== 'Edm.Decimal') return String(type === 'Edm.Double' || type === 'Edm.Single' ? number : Math.floor(number));
  const text = number
    .toFixed(Math.min(scale, 4))
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
  return text.replace(/\..*|-/g, '').length <= precision - scale ? text : undefined;
}

// prettier-ignore
/** Days after the others' by the words of a date's name, so that what ends has begun; the first row that matches counts. */
const delays: readonly (readonly [words: RegExp, days: number])[] = [
  [/\b(?:birth|birthday|born)\b/, -12_000],
  [/\b(?:listing|begin|start|from|hire|hired)\b/, 0],
  [/\b(?:ship|shipped)\b/, 4],
  [/\b(?:contract|required|due|pending|purchase)\b/, 14],
  [/\b(?:close|closed|end|ends|until|to|off|delivered|completed|finished|expires|expiration|cancelled|returned|left)\b/, 30],
  [/\b(?:modified|modification|changed|change|updated|update|deleted)\b/, 45],
];

/** The days by which a date comes after those that begin something. */
export function daysLater(name: string): number {
  const words = wordsOf(name);
  return delays.find(([pattern]) => pattern.test(words))?.[1] ?? 0;
}
