import type { CellWriter } from './cell.js';
import { type PlainCell, plainRoom } from './plain-cells.js';
import type { Cells, MembersWriter } from './record-format.js';

/** A member of an object whose value is a cell. */
export interface MemberCell {
  /** The index of the cell. */
  readonly at: number;
  /** The text before the value, with a comma in front. */
  readonly before: Words;
  /** The text for a null cell. */
  readonly nothing: Words;
  readonly plain: PlainCell;
  /** Writes cells that `plain` does not. */
  readonly write: CellWriter;
  /** The test whether the value is omitted, where the client prefers omissions. */
  readonly isOmitted?: (cells: Cells) => boolean;
}

/** Writes consecutive members; space for all is reserved first, unless one is escaped. */
export function membersTogether(members: readonly MemberCell[]): MembersWriter {
  const names = wordTable(members, 'before');
  const nothings = wordTable(members, 'nothing');
  const places = new Int32Array(members.length);
  const plains: PlainCell[] = [];
  let room = wordOverhang;
  let omits = false;
  for (const [index, { at, before, plain, isOmitted }] of members.entries()) {
    places[index] = at;
    plains.push(plain);
    room += before.length + plainRoom;
    omits ||= isOmitted !== undefined;
  }
  return (out, cells) => {
    const { bytes, starts, ends } = cells;
    const most = room + cellsLength(places, cells);
    out.ensure(most);
    let { bytes: target, view } = out;
    let end = out.length;
    for (let index = 0; index < places.length; index++) {
      if (omits && members[index]?.isOmitted?.(cells)) continue;
      const at = places[index] as number; // The index is within the array, and a selection's columns have cells.
      const start = starts[at] as number;
      const value = putWords(names, index, view, end);
      if (start < 0) {
        end = putWords(nothings, index, view, value);
        continue;
      }
      end = (plains[index] as PlainCell)(bytes, start, ends[at] as number, target, value);
      if (end >= 0) continue;
      out.length = value;
      members[index]?.write(out, bytes, start, ends[at] as number);
      out.ensure(most);
      ({ bytes: target, view } = out);
      end = out.length;
    }
    out.length = end;
  };
}

function cellsLength(places: Int32Array, { starts, ends }: Cells): number {
  let length = 0;
  for (let index = 0; index < places.length; index++) {
    const at = places[index] as number; // The index is within the array, and a selection's columns have cells.
    const start = starts[at] as number;
    if (start >= 0) length += (ends[at] as number) - start;
  }
  return length;
}

/** A recurring text, written four bytes at a time, which takes less than half the time of single bytes. */
export interface Words {
  readonly words: Uint32Array;
  /** In bytes. */
  readonly length: number;
}

/** The number of bytes that may be written after the text. */
const wordOverhang = 3;

/** Prepares a text. */
export function wordsOf(text: string): Words {
  const bytes = Buffer.from(text, 'utf8');
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  const padded = Buffer.concat([bytes], words.length * 4);
  for (const index of words.keys()) words[index] = padded.readUInt32LE(index * 4);
  return { words, length: bytes.length };
}

/** Texts side by side: an entity has some sixty, and fetching as many small arrays takes longer than writing their content. */
interface WordTable {
  readonly words: Uint32Array;
  /** The offset of each text's words; the next offset is their end. */
  readonly starts: Int32Array;
  /** The bytes of each text. */
  readonly lengths: Int32Array;
}

/** Puts one of the texts of each member side by side. */
function wordTable(members: readonly MemberCell[], text: 'before' | 'nothing'): WordTable {
  const starts = new Int32Array(members.length + 1);
  const lengths = new Int32Array(members.length);
  let size = 0;
  for (const [index, { [text]: own }] of members.entries()) {
    size += own.words.length;
    starts[index + 1] = size;
    lengths[index] = own.length;
  }
  const words = new Uint32Array(size);
  for (const [index, member] of members.entries()) words.set(member[text].words, starts[index]);
  return { words, starts, lengths };
}

/** Writes a text at `at`, and up to three bytes after it; returns the end of the text. */
function putWords({ words, starts, lengths }: WordTable, index: number, view: DataView, at: number): number {
  const end = starts[index + 1] as number; // The index is within the table.
  for (let word = starts[index] as number, to = at; word < end; word++, to += 4) view.setUint32(to, words[word] as number, true);
  return at + (lengths[index] as number);
}
