import type { ExpandPlan, Selection } from '../plan/read-plan.js';
import { cellsOf } from '../sql/compile-read.js';
import type { ByteWriter } from './byte-writer.js';
import { isArrayAt, isEndAt, isNullAt, readCells, skipSeparators } from './json-cells.js';
import { membersWriter, type Cells, type RecordFormat } from './record-writer.js';

/** Writes an expansion from the JSON text that begins at `at`, and returns the offset behind it. */
export type ExpandWriter = (out: ByteWriter, source: Buffer, at: number) => number;

/** An expansion as members of its record: the count where it was asked for, then the records. */
export function expandWriter(expand: ExpandPlan, format: RecordFormat): ExpandWriter {
  const { addresses: _, ...inner } = format;
  const record = nestedWriter(expand.selection, inner);
  const name = `,${JSON.stringify(expand.name)}:`;
  if (!expand.collection) return single(name, record);
  const many = array(name, record);
  return expand.count ? counted(`,${JSON.stringify(`${expand.name}@odata.count`)}:`, many) : many;
}

/** What stands for an expansion that leads nowhere: the cell is null. */
export function emptyExpansion(expand: ExpandPlan): string {
  return `,${JSON.stringify(expand.name)}:${expand.collection ? '[]' : 'null'}`;
}

function single(name: string, record: ExpandWriter): ExpandWriter {
  return (out, source, at) => {
    out.text(name);
    if (!isNullAt(source, at)) return record(out, source, at);
    out.text('null');
    return at + 4;
  };
}

function array(name: string, record: ExpandWriter): ExpandWriter {
  return (out, source, from) => {
    out.text(`${name}[`);
    if (isNullAt(source, from)) {
      out.byte(0x5d);
      return from + 4;
    }
    let at = skipSeparators(source, from + 1);
    for (let index = 0; !isEndAt(source, at); index++) {
      if (index > 0) out.byte(0x2c);
      at = skipSeparators(source, record(out, source, at));
    }
    out.byte(0x5d);
    return at + 1;
  };
}

// `[count, records]`, as compileExpand builds it.
function counted(name: string, many: ExpandWriter): ExpandWriter {
  return (out, source, from) => {
    const start = skipSeparators(source, from + 1);
    let end = start;
    while ((source[end] ?? 0) >= 0x30 && (source[end] ?? 0) <= 0x39) end++;
    out.text(name);
    out.copy(source, start, end);
    return skipSeparators(source, many(out, source, skipSeparators(source, end))) + 1;
  };
}

// A nested record is an array of cells, or an array of that array and its own expansions.
function nestedWriter(selection: Selection, format: RecordFormat): ExpandWriter {
  const members = membersWriter(selection, format, 'json');
  const expands = selection.expands.map((expand) => expandWriter(expand, format));
  const count = cellsOf(selection).length;
  const bounds = { starts: new Int32Array(count), ends: new Int32Array(count) };
  return (out, source, from) => {
    const wrapped = expands.length > 0 && isArrayAt(source, from);
    let at = readCells(source, wrapped ? skipSeparators(source, from + 1) : from, bounds);
    writeObject(out, () => {
      members(out, { bytes: source, ...bounds } satisfies Cells);
      for (const expand of expands) at = expand(out, source, skipSeparators(source, at));
    });
    return wrapped ? skipSeparators(source, at) + 1 : at;
  };
}

/** Braces around members; the first member's comma makes room for the opening one. */
export function writeObject(out: ByteWriter, writeMembers: () => void): void {
  out.ensure(2);
  const from = out.length;
  writeMembers();
  if (out.length === from) out.byte(0x7b);
  else out.bytes[from] = 0x7b;
  out.byte(0x7d);
}
