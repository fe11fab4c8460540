import { type Field, isNumeric } from '../edm/index.js';
import { compareDecimal } from '../json/canonical-number.js';
import type { SelectedColumn, Selection } from '../plan/read-plan.js';
import { cellsOf } from '../sql/record-cells.js';
import { type CellOrigin, cellWriter, type CellWriter, isSpecialNumber, plainCell, unescaped } from './cell.js';
import { complexWriter } from './complex-cell.js';
import { type MemberCell, membersTogether, type Words, wordsOf } from './member-cells.js';
import { type Omission, statesType, specialAnnotation, typeAnnotation } from './payload-format.js';
import { neverPlain } from './plain-cells.js';
import type { Cells, Manner, MembersWriter, RecordFormat } from './record-format.js';
import { scanObject } from './scan-json.js';
import { memoized } from '../edm/memoized.js';

/** The test whether an entity's value is omitted. */
function omissionOf(omission: Omission, field: Field, cell: number): (cells: Cells) => boolean {
  const isOmitted = omission === 'nulls' ? isNull : isDefault;
  return (cells) => isOmitted(field, cells, cell);
}

// A collection is never null; one without a cell is empty.
function isNull(field: Field, { starts }: Cells, cell: number): boolean {
  return !field.collection && (starts[cell] ?? -1) < 0;
}

function isDefault(field: Field, { bytes, starts, ends }: Cells, cell: number): boolean {
  const start = starts[cell] ?? -1;
  if (field.collection) return start < 0 || ends[cell] === start + 2;
  if (start < 0 || field.default === undefined) return start < 0 && field.default === undefined;
  const text = bytes.toString('utf8', start, ends[cell]);
  // `t` in a column's text form, `true` inside an expansion.
  if (field.type === 'Edm.Boolean') return text[0] === field.default[0];
  return text === field.default || (isNumeric(field.type) && compareDecimal(text, field.default) === 0);
}

/** Prepares the writers of a selection's columns and computed values: adjacent cells are written in one pass. */
export function columnSteps(selection: Selection, { format, origin }: Manner): readonly MembersWriter[] {
  const computed: readonly SelectedColumn[] = selection.computed.map(({ name, field }) => ({ name, column: name, field, dynamic: true }));
  const shared = sharedCells(selection, origin);
  const places = cellsOf(selection).columns;
  const steps: MembersWriter[] = shared ? [shared.read] : [];
  let together: MemberCell[] = [];
  const writeTogether = (write: MembersWriter | undefined): void => {
    if (together.length > 0) steps.push(membersTogether(together));
    together = [];
    if (write) steps.push(write);
  };
  for (const [index, column] of [...selection.columns, ...computed].entries()) {
    // A property of another type.
    if (column.of !== undefined && !column.of.has(selection.type.qualifiedName)) continue;
    const at = places[index] ?? -1;
    if (at < 0) {
      writeTogether(sharedStep(column, shared, format));
      continue;
    }
    const member = memberCell(column, { at, origin }, format);
    const special = specialMember(column, member, format);
    if (special) writeTogether(special);
    together.push(member);
  }
  writeTogether(undefined);
  return steps;
}

function sharedStep(column: SelectedColumn, shared: SharedCells | undefined, format: RecordFormat): MembersWriter {
  const place: Place = { at: shared?.indexOf(column) ?? 0, origin: 'json' };
  const member = memberCell(column, place, format);
  const special = specialMember(column, member, format);
  const write = membersTogether([member]);
  return (out) => {
    const cells = shared?.cells ?? nothingShared;
    special?.(out, cells);
    write(out, cells);
  };
}

// The annotation depends on the value, so it is written before the member.
function specialMember(column: SelectedColumn, { at, isOmitted }: MemberCell, format: RecordFormat): MembersWriter | undefined {
  if (column.control || !statesType(column, format)) return undefined;
  const step = specialStep(column.name, column.field, at);
  if (step === undefined || isOmitted === undefined) return step;
  return (out, cells) => {
    if (!isOmitted(cells)) step(out, cells);
  };
}

/** Writes the type of a number that JSON has no number for. */
export function specialStep(name: string, field: Field, at: number): MembersWriter | undefined {
  const annotation = specialAnnotation(name, field);
  if (annotation === undefined) return undefined;
  return (out, { bytes, starts }) => {
    const start = starts[at] ?? -1;
    if (start >= 0 && isSpecialNumber(bytes, start)) out.text(`,${annotation}`);
  };
}

/** Where a column's cell is, and in which form. */
interface Place {
  readonly at: number;
  readonly origin: CellOrigin;
}

function memberCell(column: SelectedColumn, { at, origin }: Place, format: RecordFormat): MemberCell {
  const { name, field, control, shape } = column;
  const typed = !control && statesType(column, format) ? typeAnnotation(name, field) : undefined;
  return {
    at,
    before: typed === undefined ? untypedStart(column) : memberStart(column, `,${typed}`),
    nothing: field.collection ? nothing.collection : nothing.single,
    plain: shape ? neverPlain : plainCell(field, format, origin),
    write: columnWriter(column, format, origin),
    ...(format.omit && { isOmitted: omissionOf(format.omit, field, at) }),
  };
}

const nothing = { single: wordsOf('null'), collection: wordsOf('[]') };

// A model's columns are the same objects in every request, so that each name is encoded once.
const untypedStart = memoized((column: SelectedColumn) => memberStart(column, ''));

// A member up to its value.
function memberStart({ name }: SelectedColumn, annotation: string): Words {
  return wordsOf(`${annotation},${JSON.stringify(name)}:`);
}

/** The writer of a column's cells. */
export function columnWriter(column: Pick<SelectedColumn, 'field' | 'shape'>, format: RecordFormat, origin: CellOrigin): CellWriter {
  const { field, shape } = column;
  return shape ? complexWriter(shape, field, format, origin) : cellWriter(field, format, origin);
}

/** The values of an entity that share one column, as separate cells; each is the inside of a JSON string. */
interface SharedCells {
  /** Locates the values of a row without writing; it must run before their writers. */
  readonly read: MembersWriter;
  readonly cells: Cells;
  readonly indexOf: (column: SelectedColumn) => number;
}

/** A placeholder for cells where there are none. */
const nothingShared: Cells = { bytes: Buffer.alloc(0), starts: new Int32Array(0), ends: new Int32Array(0) };

const quote = 0x22;

function sharedCells(selection: Selection, origin: CellOrigin): SharedCells | undefined {
  const { shared, sharedCell: at } = cellsOf(selection);
  if (shared.length === 0) return undefined;
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
