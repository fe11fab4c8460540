import type { CellWriter } from './cell.js';
import { plainRoom, type PlainCell } from './plain-cells.js';
import type { Cells, MembersWriter } from './record-writer.js';
import { putWords, wordOverhang, type Words } from './words.js';

/** A member of a record whose value is a cell. */
export interface MemberCell {
  /** Which cell. */
  readonly at: number;
  /** The member up to its value, with a comma in front. */
  readonly before: Words;
  /** The member where the cell is null. */
  readonly absent: Words;
  readonly plain: PlainCell;
  /** Writes what `plain` leaves. */
  readonly write: CellWriter;
  /** Set where the client does not want to be told every value. */
  readonly isOmitted?: (cells: Cells) => boolean;
}

/** Writes members one behind the other; there is room for all of them before the first is written, unless one is escaped. */
export function membersTogether(members: readonly MemberCell[]): MembersWriter {
  const room = members.reduce((sum, { absent }) => sum + absent.length + plainRoom, wordOverhang);
  return (out, cells) => {
    const { bytes, starts, ends } = cells;
    const most = room + cellsLength(members, cells);
    out.ensure(most);
    let { bytes: target, view } = out;
    let end = out.length;
    for (const { at, before, absent, plain, write, isOmitted } of members) {
      if (isOmitted?.(cells)) continue;
      const start = starts[at] as number; // A selection's columns have cells.
      if (start < 0) {
        end = putWords(absent, view, end);
        continue;
      }
      const value = putWords(before, view, end);
      end = plain(bytes, start, ends[at] as number, target, value);
      if (end >= 0) continue;
      out.length = value;
      write(out, bytes, start, ends[at] as number);
      out.ensure(most);
      ({ bytes: target, view } = out);
      end = out.length;
    }
    out.length = end;
  };
}

function cellsLength(members: readonly MemberCell[], { starts, ends }: Cells): number {
  let length = 0;
  for (const { at } of members) {
    const start = starts[at] as number; // A selection's columns have cells.
    if (start >= 0) length += (ends[at] as number) - start;
  }
  return length;
}
