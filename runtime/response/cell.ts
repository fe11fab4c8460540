import { enumText, primitives, type CellKind, type EnumType, type Field } from '../edm/index.js';
import { parseArrayLiteral } from '../store/array-literal.js';
import type { ByteWriter } from './byte-writer.js';
import type { PayloadFormat } from './payload-format.js';
import { copyCompact } from './scan-json.js';

/** Writes the cell in `source` from `start` to `end` as JSON; no number, date or model instance is made on the way. */
export type CellWriter = (out: ByteWriter, source: Buffer, start: number, end: number) => void;

/** A cell of a column comes as plain text, one inside an expansion as the inside of a JSON string. */
export type CellOrigin = 'column' | 'json';

const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;
const space = 0x20;
const letterT = 0x74;
const letterA = 0x41;

const copy: CellWriter = (out, source, start, end) => out.copy(source, start, end);

const quoted: CellWriter = (out, source, start, end) => {
  out.byte(quote);
  out.copy(source, start, end);
  out.byte(quote);
};

const escaped: CellWriter = (out, source, start, end) => {
  out.ensure((end - start) * 6 + 2);
  const target = out.bytes;
  let length = out.length;
  target[length++] = quote;
  for (let at = start; at < end; at++) {
    const byte = source[at] ?? 0;
    if (byte >= firstPrintable && byte !== quote && byte !== backslash) target[length++] = byte;
    else length += target.write(escapeOf(byte), length, 'latin1');
  }
  target[length++] = quote;
  out.length = length;
};

function escapeOf(byte: number): string {
  return JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
}

// `t` on the wire of a column, `true` inside an expansion.
const truth: CellWriter = (out, source, start) => {
  const word = source[start] === letterT ? words.true : words.false;
  out.copy(word, 0, word.length);
};

const words = { true: Buffer.from('true'), false: Buffer.from('false'), zone: Buffer.from('Z"') };

// The session runs in UTC: `2024-05-01 12:30:00+00` becomes `2024-05-01T12:30:00Z`.
const timestamp: CellWriter = (out, source, start, end) => {
  out.byte(quote);
  const from = out.length;
  out.copy(source, start, end - 3);
  const separator = separatorOf(out.bytes, from, out.length);
  if (separator >= 0) out.bytes[separator] = 0x54;
  out.copy(words.zone, 0, words.zone.length);
};

// Behind ten characters, unless the year has more than four digits.
function separatorOf(bytes: Buffer, from: number, end: number): number {
  if (bytes[from + 10] === space && from + 10 < end) return from + 10;
  const found = bytes.indexOf(space, from);
  return found < end ? found : -1;
}

const double: CellWriter = (out, source, start, end) => {
  // Only the words end in a letter.
  if ((source[end - 1] ?? 0) < letterA) return out.copy(source, start, end);
  const special = specialNumbers[source.toString('latin1', start, end)];
  if (special === undefined) out.copy(source, start, end);
  else out.text(special);
};

const specialNumbers: { readonly [text: string]: string | undefined } = { Infinity: '"INF"', '-Infinity': '"-INF"', NaN: '"NaN"' };

// PostgreSQL writes a minus in front of each part, the standard one in front of the P.
const duration: CellWriter = (out, source, start, end) => {
  const text = source.toString('latin1', start, end);
  out.text(`"${text.includes('-') ? `-${text.replaceAll('-', '')}` : text}"`);
};

// `\x0aff`, whose backslash is doubled inside an expansion.
const binary: CellWriter = (out, source, start, end) => {
  const text = source.toString('latin1', start, end);
  out.text(`"${Buffer.from(text.slice(text.indexOf('x') + 1), 'hex').toString('base64url')}"`);
};

const point: CellWriter = (out, source, start, end) => {
  out.text('{"type":"Point","coordinates":[');
  out.copy(source, start + 1, end - 1);
  out.text(']}');
};

/** One writer a kind of cell. */
const writers: { readonly [Kind in CellKind]: CellWriter } = {
  string: escaped,
  boolean: truth,
  number: copy,
  bigNumber: copy,
  double,
  date: quoted,
  time: quoted,
  timestamp,
  duration,
  guid: quoted,
  binary,
  point,
  // Without its shape, as it is kept; answers write it by `complexWriter`.
  complex: copyCompact,
};

// Names of members have nothing that JSON would escape.
function enumerated(type: EnumType): CellWriter {
  return (out, source, start, end) => out.text(`"${enumText(type, source.toString('latin1', start, end))}"`);
}

/** The writer of a property's cells. */
export function cellWriter(field: Field, format: PayloadFormat, origin: CellOrigin): CellWriter {
  const { cell } = primitives[field.type];
  const { enumeration } = field;
  if (enumeration) return field.collection ? collection(enumerated(enumeration), origin) : enumerated(enumeration);
  const single = cell === 'bigNumber' && format.ieee754Compatible ? quoted : writers[cell];
  if (field.collection) return cell === 'string' && origin === 'column' ? strings : collection(single, origin);
  // The inside of a JSON string is escaped already.
  return cell === 'string' && origin === 'json' ? quoted : single;
}

const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

// `{Brick,"Steel, painted"}`: within quotes PostgreSQL escapes a quote and a backslash as JSON does, and nothing else.
const strings: CellWriter = (out, source, start, end) => {
  out.byte(openBracket);
  let at = source[start] === openBrace ? start + 1 : start;
  while (at < end - 1) {
    if (source[at] === comma) out.byte(source[at++] ?? comma);
    const inQuotes = source[at] === quote;
    const from = inQuotes ? at + 1 : at;
    const to = inQuotes ? closingQuote(source, from) : endOfPlain(source, from, end - 1);
    if (inQuotes) copyEscaped(out, source, from, to);
    else if (isNullWord(source, from, to)) out.text('null');
    else quoted(out, source, from, to);
    at = inQuotes ? to + 1 : to;
  }
  out.byte(closeBracket);
};

// The word itself would be quoted.
function isNullWord(source: Buffer, from: number, to: number): boolean {
  return to - from === 4 && source.toString('latin1', from, to) === 'NULL';
}

function closingQuote(source: Buffer, from: number): number {
  let at = from;
  while (source[at] !== quote) at += source[at] === backslash ? 2 : 1;
  return at;
}

function endOfPlain(source: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && source[at] !== comma) at++;
  return at;
}

// What is escaped stays as it is; control characters are not escaped in an array, and must be in JSON.
function copyEscaped(out: ByteWriter, source: Buffer, from: number, to: number): void {
  out.ensure((to - from) * 6 + 2);
  const target = out.bytes;
  let length = out.length;
  target[length++] = quote;
  for (let at = from; at < to; at++) {
    const byte = source[at] ?? 0;
    if (byte >= firstPrintable) target[length++] = byte;
    else length += target.write(escapeOf(byte), length, 'latin1');
  }
  target[length++] = quote;
  out.length = length;
}

function collection(single: CellWriter, origin: CellOrigin): CellWriter {
  return (out, source, start, end) => {
    const text = source.toString('utf8', start, end);
    out.byte(0x5b);
    for (const [index, element] of parseArrayLiteral(origin === 'json' ? unescaped(text) : text).entries()) {
      if (index > 0) out.byte(0x2c);
      const bytes = Buffer.from(element, 'utf8');
      single(out, bytes, 0, bytes.length);
    }
    out.byte(0x5d);
  };
}

/** The text behind the inside of a JSON string. */
export function unescaped(inside: string): string {
  return JSON.parse(`"${inside}"`) as string;
}
