import type { CellKind } from '../edm/index.js';

/**
 * Writes the cell in `source` from `from` to `to` as JSON at `at` of `target`, and returns its end. The target has
 * space for the cell's bytes and `plainRoom` more; cells that need more escapes return -1, for another writer. It reads
 * only its arguments and one table, since large pages consist of these calls.
 */
export type PlainCell = (source: Buffer, from: number, to: number, target: Buffer, at: number) => number;

/** The most bytes that a plain cell adds to its own. */
export const plainRoom = 40;

/** The length up to which copying single bytes is faster than a call out of JavaScript. */
const shortest = 48;

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const letterT = 0x74;
const letterA = 0x41;

/** Appends a few bytes; returns their end. */
function appendBytes(bytes: Buffer, target: Buffer, at: number): number {
  const { length } = bytes;
  for (let index = 0; index < length; index++) target[at + index] = bytes[index] as number; // The index is within the buffer.
  return at + length;
}

const copy: PlainCell = (source, from, to, target, at) => {
  if (to - from > shortest) {
    source.copy(target, at, from, to);
    return at + to - from;
  }
  let end = at;
  for (let index = from; index < to; index++) target[end++] = source[index] as number; // The caller gives valid bounds.
  return end;
};

const quoted: PlainCell = (source, from, to, target, at) => {
  target[at] = quote;
  const end = copy(source, from, to, target, at + 1);
  target[end] = quote;
  return end + 1;
};

/** By byte, the letter after the backslash of a short escape. */
const shortEscapes = new Uint8Array(256);
for (const character of '\b\t\n\f\r"\\') shortEscapes[character.charCodeAt(0)] = JSON.stringify(character).charCodeAt(2);

/** Each escape adds a byte. */
const mostEscapes = plainRoom - 4;

const text: PlainCell = (source, from, to, target, at) => {
  target[at] = quote;
  const most = at + 1 + to - from + mostEscapes;
  let end = at + 1;
  for (let index = from; index < to; index++) {
    const byte = source[index] as number; // The caller gives valid bounds.
    if (byte >= space && byte !== quote && byte !== backslash) target[end++] = byte;
    else {
      const letter = shortEscapes[byte] as number;
      if (letter === 0 || end + to - index >= most) return -1;
      target[end++] = backslash;
      target[end++] = letter;
    }
  }
  target[end] = quote;
  return end + 1;
};

const words = { true: Buffer.from('true'), false: Buffer.from('false') };

// `t` in a column's text form, `true` inside an expansion.
const truth: PlainCell = (source, from, _to, target, at) => appendBytes(source[from] === letterT ? words.true : words.false, target, at);

// The session runs in UTC: `2024-05-01 12:30:00+00` becomes `2024-05-01T12:30:00Z`.
const timestamp: PlainCell = (source, from, to, target, at) => {
  target[at] = quote;
  const end = copy(source, from, to - 3, target, at + 1);
  const separator = separatorOf(target, at + 1, end);
  if (separator >= 0) target[separator] = 0x54;
  target[end] = 0x5a;
  target[end + 1] = quote;
  return end + 2;
};

// After ten characters, unless the year has more than four digits.
function separatorOf(bytes: Buffer, from: number, end: number): number {
  if (bytes[from + 10] === space && from + 10 < end) return from + 10;
  const found = bytes.indexOf(space, from);
  return found < end ? found : -1;
}

// Only words end in a letter: infinity and NaN.
const double: PlainCell = (source, from, to, target, at) => ((source[to - 1] ?? 0) < letterA ? copy(source, from, to, target, at) : -1);

const pointStart = Buffer.from('{"type":"Point","coordinates":[');
const pointEnd = Buffer.from(']}');

const point: PlainCell = (source, from, to, target, at) => {
  const start = appendBytes(pointStart, target, at);
  return appendBytes(pointEnd, target, copy(source, from + 1, to - 1, target, start));
};

const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

/** The most elements that fit if all need quotes, two bytes each. */
const mostElements = plainRoom / 2 - 2;

// `{Brick,"Steel, painted"}`: within quotes PostgreSQL escapes a quote and a backslash as JSON does, and nothing else.
const strings: PlainCell = (source, from, to, target, at) => {
  target[at] = openBracket;
  let end = at + 1;
  let index = from + 1;
  for (let elements = 0; index < to - 1 && end > 0; elements++) {
    if (elements > mostElements) return -1;
    if (source[index] === comma) target[end++] = source[index++] as number;
    const close = endOfElement(source, index, to - 1);
    end = (source[index] === quote ? quotedElement : unquotedElement)(source, index, close, target, end);
    index = close;
  }
  if (end > 0) target[end] = closeBracket;
  return end < 0 ? -1 : end + 1;
};

function endOfElement(source: Buffer, from: number, end: number): number {
  let at = from + 1;
  if (source[from] !== quote) while (at < end && source[at] !== comma) at++;
  else {
    while (source[at] !== quote) at += source[at] === backslash ? 2 : 1;
    at++;
  }
  return at;
}

// Control characters are not escaped in an array, but must be in JSON.
const quotedElement: PlainCell = (source, from, to, target, at) => {
  let end = at;
  for (let index = from; index < to; index++) {
    const byte = source[index] as number; // The caller gives valid bounds.
    if (byte < space) return -1;
    target[end++] = byte;
  }
  return end;
};

// The text NULL would be quoted.
const unquotedElement: PlainCell = (source, from, to, target, at) => {
  if (to - from === 4 && source.toString('latin1', from, to) === 'NULL') return -1;
  target[at] = quote;
  const end = quotedElement(source, from, to, target, at + 1);
  if (end > 0) target[end] = quote;
  return end < 0 ? -1 : end + 1;
};

// An array within a JSON string: `{Brick,\"Steel, painted\"}`. The array's quotes are escaped once; characters that the
// array escapes have two backslashes, followed by JSON's escape.
const stringsInside: PlainCell = (source, from, to, target, at) => {
  target[at] = openBracket;
  let end = at + 1;
  let index = from + 1;
  for (let elements = 0; index < to - 1; elements++) {
    if (elements > mostElements) return -1;
    if (source[index] === comma) target[end++] = source[index++] as number;
    const isQuoted = source[index] === backslash && source[index + 1] === quote;
    const close = isQuoted ? endOfInner(source, index + 2) : endOfElement(source, index, to - 1);
    end = isQuoted ? innerElement(source, index + 2, close - 2, target, end) : unquotedElement(source, index, close, target, end);
    if (end < 0) return -1;
    index = close;
  }
  target[end] = closeBracket;
  return end + 1;
};

// The offset after the quote that ends the element.
function endOfInner(source: Buffer, from: number): number {
  let at = from;
  while (source[at] !== backslash || source[at + 1] !== quote) at += source[at] !== backslash ? 1 : source[at + 1] === backslash ? 4 : 2;
  return at + 2;
}

const innerElement: PlainCell = (source, from, to, target, at) => {
  target[at] = quote;
  let end = at + 1;
  for (let index = from; index < to; index++) {
    const isEscape = source[index] === backslash;
    if (isEscape && source[index + 1] === backslash) index += 2;
    target[end++] = source[index] as number; // The caller gives valid bounds.
    if (isEscape) target[end++] = source[++index] as number;
  }
  target[end] = quote;
  return end + 1;
};

/** The plain writers by kind of cell. */
export const plainCells: { readonly [Kind in CellKind]?: PlainCell } = {
  string: text,
  boolean: truth,
  number: copy,
  bigNumber: copy,
  double,
  date: quoted,
  time: quoted,
  timestamp,
  guid: quoted,
  point,
};

/** Collections of strings, of a column and within an expansion. */
export const stringsCells: { readonly [Origin in 'column' | 'json']: PlainCell } = { column: strings, json: stringsInside };

/** A cell that is the inside of a JSON string, or only needs quotes. */
export const quotedCell: PlainCell = quoted;

/** A writer that leaves every cell to others. */
export const neverPlain: PlainCell = () => -1;
