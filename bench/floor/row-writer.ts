import { cellBytes, copyBytes, nullBytes, type CellBytes } from './cells.js';
import { reserve, type RowBuffer } from './row-buffer.js';

/** How the rows of one statement are written: a member a column. */
export interface RowShape {
  readonly prefixes: readonly Buffer[];
  readonly writers: readonly CellBytes[];
  /** Bytes that names and punctuation take at most. */
  readonly overhead: number;
}

/** The row shape that a RowDescription message describes. */
export function rowShape(message: Buffer): RowShape {
  const columns: { name: string; oid: number }[] = [];
  let at = 2;
  for (let left = message.readUInt16BE(0); left > 0; left -= 1) {
    const end = message.indexOf(0, at);
    columns.push({ name: message.toString('utf8', at, end), oid: message.readUInt32BE(end + 7) });
    at = end + 19;
  }
  const prefixes = columns.map(({ name }, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
  return {
    prefixes,
    writers: columns.map(({ oid }) => cellBytes(oid)),
    overhead: prefixes.reduce((sum, { length }) => sum + length + 40, 8),
  };
}

// Every byte of a control character becomes six.
const worstEscape = 6;

/** Appends the cells of a DataRow message, which lie between `from` and `to`, as a JSON object; rows are kept apart by commas. */
export function writeRow(shape: RowShape, source: Buffer, from: number, to: number, answer: RowBuffer, first: boolean): void {
  reserve(answer, shape.overhead + worstEscape * (to - from));
  const target = answer.bytes;
  let end = answer.length;
  if (!first) target[end++] = 0x2c;
  let at = from + 2;
  for (let index = 0; index < shape.writers.length; index += 1) {
    end = copyBytes(shape.prefixes[index] as Buffer, target, end);
    const length = source.readInt32BE(at);
    at += 4;
    if (length < 0) end = nullBytes(target, end);
    else end = (shape.writers[index] as CellBytes)(source, at, (at += length), target, end);
  }
  target[end] = 0x7d;
  answer.length = end + 1;
}

/** Appends the only cell of a DataRow message as it is: JSON that the database made. */
export function writeJsonCell(source: Buffer, from: number, to: number, answer: RowBuffer, first: boolean): void {
  reserve(answer, to - from + 8);
  if (!first) answer.bytes[answer.length++] = 0x2c;
  const start = from + 6;
  source.copy(answer.bytes, answer.length, start, to);
  answer.length += to - start;
}

/** The cells of a row's columns with these places, in the order of the columns, as text. */
export function cellsAt(source: Buffer, from: number, places: readonly number[]): readonly string[] {
  const found: string[] = [];
  let at = from + 2;
  for (let index = 0; index <= Math.max(...places); index += 1) {
    const length = source.readInt32BE(at);
    if (places.includes(index)) found.push(source.toString('utf8', at + 4, at + 4 + length));
    at += 4 + Math.max(length, 0);
  }
  return found;
}
