import { parseArrayLiteral } from '../store/array-literal.js';
import { primitives, type CellKind, type Field } from '../edm/index.js';
import type { PayloadFormat } from './payload-format.js';

/** Turns a cell's text into JSON; no number, date or model instance is made on the way. */
export type CellWriter = (text: string) => string;

const specialNumbers: { readonly [text: string]: string | undefined } = { Infinity: '"INF"', '-Infinity': '"-INF"', NaN: '"NaN"' };

const writers: { readonly [Kind in CellKind]: CellWriter } = {
  string: (text) => JSON.stringify(text),
  // `t` on the wire of a column, `true` inside an expansion.
  boolean: (text) => (text.startsWith('t') ? 'true' : 'false'),
  number: (text) => text,
  bigNumber: (text) => text,
  double: (text) => specialNumbers[text] ?? text,
  date: (text) => `"${text}"`,
  time: (text) => `"${text}"`,
  // The session runs in UTC: `2024-05-01 12:30:00+00`.
  timestamp: (text) => `"${text.slice(0, 10)}T${text.slice(11, -3)}Z"`,
  duration: (text) => `"${durationText(text)}"`,
  guid: (text) => `"${text}"`,
  binary: (text) => `"${Buffer.from(text.slice(2), 'hex').toString('base64url')}"`,
  point: (text) => `{"type":"Point","coordinates":[${text.slice(1, -1)}]}`,
};

// PostgreSQL writes a minus in front of each part, the standard one in front of the P.
function durationText(text: string): string {
  return text.includes('-') ? `-${text.replaceAll('-', '')}` : text;
}

/** The writer of a property's cells. */
export function cellWriter(field: Field, format: PayloadFormat): CellWriter {
  const { cell } = primitives[field.type];
  const single = cell === 'bigNumber' && format.ieee754Compatible ? quoted : writers[cell];
  return field.collection ? (text) => `[${parseArrayLiteral(text).map(single).join(',')}]` : single;
}

function quoted(text: string): string {
  return `"${text}"`;
}

/** The text of a single cell without JSON's quotes, as `/$value` and keys show it. */
export function plainText(field: Field, text: string): string {
  const json = writers[primitives[field.type].cell](text);
  return field.type === 'Edm.String' ? text : json.replace(/^"|"$/g, '');
}
