import type { CellWriter } from './cell.js';
import { plainRoom, type PlainCell } from './plain-cells.js';
import type { Cells, MembersWriter } from './record-writer.js';
import { putWords, wordOverhang, wordTable, type Words } from './words.js';

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
  const names = wordTable(members.map(({ before }) => before));
  const nothings = wordTable(members.map(({ nothing }) => nothing));
  const places = Int32Array.from(members, ({ at }) => at);
  const plains = members.map(({ plain }) => plain);
  const omits = members.some(({ isOmitted }) => isOmitted);
  const room = members.reduce((sum, { before }) => sum + before.length + plainRoom, wordOverhang);
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
