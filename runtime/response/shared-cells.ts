import type { SelectedColumn, Selection } from '../plan/read-plan.js';
import { placedColumns, sharedCell } from '../sql/record-cells.js';
import { unescaped, type CellOrigin } from './cell.js';
import type { Cells, MembersWriter } from './record-writer.js';
import { scanObject } from './scan-json.js';

/** The values of an entity that share one column, as separate cells; each is the inside of a JSON string. */
export interface SharedCells {
  /** Locates the values of a row without writing; it must run before their writers. */
  readonly read: MembersWriter;
  readonly cells: Cells;
  readonly indexOf: (column: SelectedColumn) => number;
}

/** A placeholder for cells where there are none. */
export const nothingShared: Cells = { bytes: Buffer.alloc(0), starts: new Int32Array(0), ends: new Int32Array(0) };

const quote = 0x22;

/** The shared cells of a selection's columns, if any. */
export function sharedCells(selection: Selection, origin: CellOrigin): SharedCells | undefined {
  const { shared } = placedColumns(selection);
  if (shared.length === 0) return undefined;
  const at = sharedCell(selection);
  const cells = { bytes: nothingShared.bytes, starts: new Int32Array(shared.length), ends: new Int32Array(shared.length) };
  const read: MembersWriter = (_, row) => {
    const start = row.starts[at] ?? -1;
    const isPlain = origin === 'column' || start < 0;
    cells.bytes = isPlain ? row.bytes : Buffer.from(unescaped(row.bytes.toString('utf8', start, row.ends[at])), 'utf8');
    const found = start < 0 ? undefined : scanObject(cells.bytes, isPlain ? start : 0);
    for (const [index, { name }] of shared.entries()) {
      const span = found?.get(name);
      const isText = span !== undefined && cells.bytes[span.start] === quote;
      cells.starts[index] = isText ? span.start + 1 : -1;
      cells.ends[index] = isText ? span.end - 1 : -1;
    }
  };
  return { read, cells, indexOf: (column) => shared.indexOf(column) };
}
