import type { ByteWriter } from './byte-writer.js';

/** The bounds of a value in JSON text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const space = 0x20;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The bounds of the members' values in the object at `at`, by name. The text is the database's own, so it is valid. */
export function scanObject(source: Buffer, at: number): ReadonlyMap<string, Span> {
  if (source[at] !== openBrace) throw misshapen();
  return scanMembers(source, at + 1, source.length);
}

/** The members of an object from `start` on; its brace may be missing. */
export function scanMembers(source: Buffer, start: number, end: number): ReadonlyMap<string, Span> {
  const members = new Map<string, Span>();
  let from = skipBlank(source, start);
  while (from < end && source[from] !== closeBrace) {
    const nameEnd = endOfValue(source, from);
    const value = skipBlank(source, nameEnd);
    const valueEnd = endOfValue(source, value);
    if (valueEnd === from) throw misshapen();
    members.set(nameOf(source, from + 1, nameEnd - 1), { start: value, end: valueEnd });
    from = skipBlank(source, valueEnd);
  }
  return members;
}

/** Calls with the bounds of each item of the array at `at`. */
export function scanArray(source: Buffer, at: number, onItem: (start: number, end: number) => void): void {
  if (source[at] !== openBracket) throw misshapen();
  let start = skipBlank(source, at + 1);
  while (source[start] !== closeBracket) {
    const end = endOfValue(source, start);
    if (end === start) throw misshapen();
    onItem(start, end);
    start = skipBlank(source, end);
  }
}

// A missing migration or hand-written rows; continuing would loop forever.
function misshapen(): Error {
  return new Error('The stored JSON does not match the model: a single value instead of a collection, or the reverse.');
}

function nameOf(source: Buffer, start: number, end: number): string {
  const text = source.toString('utf8', start, end);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

function skipBlank(source: Buffer, from: number): number {
  let at = from;
  while (source[at] === space || source[at] === comma || source[at] === colon) at++;
  return at;
}

/** The offset after the value at `at`. */
function endOfValue(source: Buffer, at: number): number {
  const first = source[at];
  if (first === quote) return endOfString(source, at);
  if (first !== openBrace && first !== openBracket) return endOfWord(source, at);
  let depth = 0;
  let next = at;
  do {
    const byte = source[next];
    if (byte === openBrace || byte === openBracket) depth++;
    if (byte === closeBrace || byte === closeBracket) depth--;
    next = byte === quote ? endOfString(source, next) : next + 1;
  } while (depth > 0);
  return next;
}

/** Copies a value without the blanks that PostgreSQL inserts. */
export function copyCompact(out: ByteWriter, source: Buffer, start: number, end: number): void {
  let at = start;
  while (at < end) {
    if (source[at] === space) {
      at++;
      continue;
    }
    const next = source[at] === quote ? endOfString(source, at) : at + 1;
    out.copy(source, at, next);
    at = next;
  }
}

function endOfString(source: Buffer, from: number): number {
  return closingQuote(source, from + 1) + 1;
}

// A number or a word ends at the next delimiter, or with the text.
function endOfWord(source: Buffer, from: number): number {
  let at = from;
  while (at < source.length && !ends.has(source[at])) at++;
  return at;
}

const ends: ReadonlySet<number | undefined> = new Set([comma, space, closeBracket, closeBrace]);

/** The bounds of an expanded entity's cells in PostgreSQL's JSON text. */
export interface CellBounds {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

const letterN = 0x6e;
const letterF = 0x66;

/** The offset of the next byte that is neither white space nor a comma. */
export function skipSeparators(source: Buffer, from: number): number {
  let at = from;
  while ((source[at] ?? quote) <= 0x20 || source[at] === comma) at++;
  return at;
}

/** Whether `null` is at the offset. */
export function isNullAt(source: Buffer, at: number): boolean {
  return source[at] === letterN;
}

/** Whether `false` is at the offset. */
export function isFalseAt(source: Buffer, at: number): boolean {
  return source[at] === letterF;
}

/** Whether an array ends at the offset. */
export function isEndAt(source: Buffer, at: number): boolean {
  return source[at] === closeBracket;
}

/** Reads the bounds of `["a",null,...]`, each within its quotes; returns the offset after the bracket. */
export function readCells(source: Buffer, from: number, bounds: CellBounds): number {
  let at = skipSeparators(source, from + 1);
  for (let index = 0; !isEndAt(source, at); index++) {
    const isNull = isNullAt(source, at);
    const end = isNull ? at + 3 : closingQuote(source, at + 1);
    bounds.starts[index] = isNull ? -1 : at + 1;
    bounds.ends[index] = end;
    at = skipSeparators(source, end + 1);
  }
  return at + 1;
}

/** The offset of the quote that ends the string whose content begins here. */
function closingQuote(source: Buffer, from: number): number {
  let at = from;
  while (source[at] !== quote) at += source[at] === backslash ? 2 : 1;
  return at;
}
