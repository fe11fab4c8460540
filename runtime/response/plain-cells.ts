import type { CellKind } from '../edm/index.js';

/**
 * Writes the cell in `source` from `from` to `to` as JSON at `at` of `target`, and returns where it ended. The target has
 * room for the cell's bytes and `plainRoom` more; what needs more, because it is escaped, is left to others: then it
 * returns -1. Nothing but arguments and one table is looked at, since this is what a large page is made of.
 */
export type PlainCell = (source: Buffer, from: number, to: number, target: Buffer, at: number) => number;

/** What a plain cell takes beyond its own bytes at most. */
export const plainRoom = 40;

/** A call out of JavaScript costs more than to copy so many bytes one by one. */
const shortest = 48;

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const letterT = 0x74;
const letterA = 0x41;

/** Appends bytes, which are few; returns where they end. */
function appendBytes(bytes: Buffer, target: Buffer, at: number): number {
  const { length } = bytes;
  for (let index = 0; index < length; index++) target[at + index] = bytes[index] as number; // The bound is its length.
  return at + length;
}

const copy: PlainCell = (source, from, to, target, at) => {
  if (to - from > shortest) {
    source.copy(target, at, from, to);
    return at + to - from;
  }
  let end = at;
  for (let index = from; index < to; index++) target[end++] = source[index] as number; // The bounds are the caller's.
  return end;
};

const quoted: PlainCell = (source, from, to, target, at) => {
  target[at] = quote;
  const end = copy(source, from, to, target, at + 1);
  target[end] = quote;
  return end + 1;
};

/** By byte, the letter behind the backslash of a short escape. */
const shortEscapes = new Uint8Array(256);
for (const character of '\b\t\n\f\r"\\') shortEscapes[character.charCodeAt(0)] = JSON.stringify(character).charCodeAt(2);

/** Each of these takes a byte more. */
const mostEscapes = plainRoom - 4;

const text: PlainCell = (source, from, to, target, at) => {
  target[at] = quote;
  const most = at + 1 + to - from + mostEscapes;
  let end = at + 1;
  for (let index = from; index < to; index++) {
    const byte = source[index] as number; // The bounds are the caller's.
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

// `t` on the wire of a column, `true` inside an expansion.
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

// Behind ten characters, unless the year has more than four digits.
function separatorOf(bytes: Buffer, from: number, end: number): number {
  if (bytes[from + 10] === space && from + 10 < end) return from + 10;
  const found = bytes.indexOf(space, from);
  return found < end ? found : -1;
}

// Only the words end in a letter: infinity and what is no number.
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

/** Elements that may all need quotes, two bytes each, before the room is used up. */
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

// Control characters are not escaped in an array, and must be in JSON.
const quotedElement: PlainCell = (source, from, to, target, at) => {
  let end = at;
  for (let index = from; index < to; index++) {
    const byte = source[index] as number; // The bounds are the caller's.
    if (byte < space) return -1;
    target[end++] = byte;
  }
  return end;
};

// The word of what is null would be quoted, were it a text.
const unquotedElement: PlainCell = (source, from, to, target, at) => {
  if (to - from === 4 && source.toString('latin1', from, to) === 'NULL') return -1;
  target[at] = quote;
  const end = quotedElement(source, from, to, target, at + 1);
  if (end > 0) target[end] = quote;
  return end < 0 ? -1 : end + 1;
};

// The same within a JSON string: `{Brick,\"Steel, painted\"}`. The array's quotes are escaped once; what it escapes
// itself has two backslashes in front, and is escaped for JSON behind them.
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

// Behind the quote that ends the element which begins here.
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
    target[end++] = source[index] as number; // The bounds are the caller's.
    if (isEscape) target[end++] = source[++index] as number;
  }
  target[end] = quote;
  return end + 1;
};

/** The kinds of cells that are written so. */
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

/** What is the inside of a JSON string already, and what needs quotes only. */
export const quotedCell: PlainCell = quoted;

/** For cells of which nothing is known: it leaves each to others. */
export const neverPlain: PlainCell = () => -1;
