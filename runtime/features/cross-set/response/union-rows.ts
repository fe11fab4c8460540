import { anyEntity } from '../../../edm/index.js';
import type { Selection } from '../../../plan/read-plan.js';
import { cellCount } from '../../../sql/record-cells.js';
import { expandWriter, nestedRecord } from '../../../response/expand-writer.js';
import type { RecordFormat } from '../../../response/record-format.js';
import type { RowWriter } from '../../../response/byte-writer.js';

/** The context URL of `$all` (protocol 10.20, "Collection of Entities of Any Type"). */
export function unionContextUrl(root: string): string {
  return `${root}/$metadata#Collection(${anyEntity})`;
}

/** Writes the one entity that each row was expanded to, with its type and address, which differ from row to row. */
export function unionRowWriter(selection: Selection, format: RecordFormat): RowWriter {
  const cells = cellCount(selection);
  const records = selection.expands.map((expand) => nestedRecord(expand, { ...format, addresses: true }, expandWriter));
  return (out, { bytes, starts }) => {
    const index = records.findIndex((_, place) => (starts[cells + place] ?? -1) >= 0);
    records[index]?.write(out, bytes, starts[cells + index] ?? 0, () => '');
  };
}
