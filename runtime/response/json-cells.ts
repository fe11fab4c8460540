/** The bounds of an expanded entity's cells in PostgreSQL's JSON text. */
interface CellBounds {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
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

/** Whether an array begins at the offset. */
export function isArrayAt(source: Buffer, at: number): boolean {
  return source[at] === openBracket;
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
export function closingQuote(source: Buffer, from: number): number {
  let at = from;
  while (source[at] !== quote) at += source[at] === backslash ? 2 : 1;
  return at;
}
