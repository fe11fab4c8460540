import { anyEntity } from '../edm/index.js';
import type { ExpandPlan, Selection } from '../plan/read-plan.js';
import { cellCount, expandOrderCells } from '../sql/record-cells.js';
import { expandWriter, type ExpandWriter } from './expand-writer.js';
import { isNullAt, readCells, skipSeparators } from './json-cells.js';
import { nestedRecord, type NestedRecord } from './nested-record.js';
import { textOf, type RecordFormat } from './record-writer.js';
import type { RowWriter } from './render-collection.js';

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

/** Writes entities within an expansion: one of the alternatives in a row exists. */
export function unionRecord(
  expand: ExpandPlan,
  format: RecordFormat,
  writerOf: (expand: ExpandPlan, format: RecordFormat) => ExpandWriter,
): NestedRecord {
  const records = expand.selection.expands.map((inner) => nestedRecord(inner, { ...format, addresses: true }, writerOf));
  const count = cellCount(expand.selection) + expandOrderCells(expand).hidden.length;
  const bounds = { starts: new Int32Array(count), ends: new Int32Array(count) };
  const write: NestedRecord['write'] = (out, source, from) => {
    let at = readCells(source, skipSeparators(source, from + 1), bounds);
    for (const record of records) {
      at = skipSeparators(source, at);
      at = isNullAt(source, at) ? at + 4 : record.write(out, source, at, () => '');
    }
    return skipSeparators(source, at) + 1;
  };
  return { write, text: (source, cell) => textOf({ bytes: source, ...bounds }, cell, 'json') };
}
