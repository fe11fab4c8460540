import type { ByteWriter } from './byte-writer.js';
import type { Cells, MembersWriter } from './record-format.js';
import { scanMembers, type Span } from './scan-json.js';

/** Additional members of a complex property's value, and the path to the value. */
export interface InsideMembers {
  readonly within: readonly string[];
  readonly write: MembersWriter;
}

/** Writes members, and moves them into the value that they belong to, among the members that begin at `from`; where there is no value there is nothing to show them in. */
export function writeInside(out: ByteWriter, from: number, { within, write }: InsideMembers, cells: Cells): void {
  const at = out.length;
  write(out, cells);
  // A record of another sequence of `concat` shows nothing there.
  if (out.length === at) return;
  if (within.length > 0) moveInside(out, { from, at }, within);
}

/** Where a record's members begin, and where those that were written last. */
export interface Written {
  readonly from: number;
  readonly at: number;
}

/** Moves the last written bytes to the end of the object at the path. */
export function moveInside(out: ByteWriter, { from, at }: Written, within: readonly string[]): void {
  const moved = Buffer.from(out.bytes.subarray(at, out.length));
  const brace = closingBrace(out.bytes, { start: from, end: at }, within);
  if (brace === undefined) {
    out.length = at;
    return;
  }
  out.bytes.copyWithin(brace + moved.length, brace, at);
  out.bytes.set(moved, brace);
  // The first member has no comma in front.
  if (moved.length > 0 && out.bytes[brace - 1] === openBrace) out.bytes[brace] = blank;
}

const openBrace = 0x7b;
const blank = 0x20;

function closingBrace(bytes: Buffer, { start, end }: Span, [name = '', ...deeper]: readonly string[]): number | undefined {
  const value = scanMembers(bytes, start, end).get(name);
  if (value === undefined || bytes[value.start] !== openBrace) return undefined;
  return deeper.length === 0 ? value.end - 1 : closingBrace(bytes, { start: value.start + 1, end: value.end }, deeper);
}
