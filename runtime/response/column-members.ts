import type { SelectedColumn, Selection } from '../plan/read-plan.js';
import { columnCells } from '../sql/record-cells.js';
import { cellWriter, plainCell, type CellOrigin, type CellWriter } from './cell.js';
import { complexWriter } from './complex-cell.js';
import { membersTogether, type MemberCell } from './member-cells.js';
import { omissionOf } from './omit.js';
import { neverPlain } from './plain-cells.js';
import { type Manner, type MembersWriter, type RecordFormat } from './record-writer.js';
import { nothingShared, sharedCells, type SharedCells } from './shared-cells.js';
import { saysType, typeAnnotation } from './type-annotation.js';
import { wordsOf, type Words } from './words.js';

/** Prepares the writers of a selection's columns and computed values: adjacent cells are written in one pass. */
export function columnSteps(selection: Selection, { format, origin }: Manner): readonly MembersWriter[] {
  const computed = selection.computed.map(({ name, field }) => ({ name, column: name, field, dynamic: true }));
  const shared = sharedCells(selection, origin);
  const places = columnCells(selection);
  const steps: MembersWriter[] = shared ? [shared.read] : [];
  let together: MemberCell[] = [];
  const writeTogether = (write: MembersWriter | undefined): void => {
    if (together.length > 0) steps.push(membersTogether(together));
    together = [];
    if (write) steps.push(write);
  };
  for (const [index, column] of [...selection.columns, ...computed].entries()) {
    if (isOfAnother(column, selection)) continue;
    const at = places[index] ?? -1;
    if (at < 0) writeTogether(sharedStep(column, shared, format));
    else together.push(memberCell(column, { at, origin }, format));
  }
  writeTogether(undefined);
  return steps;
}

function isOfAnother({ of }: SelectedColumn, { type }: Selection): boolean {
  return of !== undefined && !of.has(type.qualifiedName);
}

function sharedStep(column: SelectedColumn, shared: SharedCells | undefined, format: RecordFormat): MembersWriter {
  const place: Place = { at: shared?.indexOf(column) ?? 0, origin: 'json' };
  const write = membersTogether([memberCell(column, place, format)]);
  return (out) => write(out, shared?.cells ?? nothingShared);
}

/** Where a column's cell is, and in which form. */
interface Place {
  readonly at: number;
  readonly origin: CellOrigin;
}

function memberCell(column: SelectedColumn, { at, origin }: Place, format: RecordFormat): MemberCell {
  const { name, field, control, shape } = column;
  const typed = !control && saysType(column, format) ? typeAnnotation(name, field) : undefined;
  return {
    at,
    before: memberStart(column, typed),
    nothing: field.collection ? nothing.collection : nothing.single,
    plain: shape ? neverPlain : plainCell(field, format, origin),
    write: columnWriter(column, format, origin),
    ...(format.omit && { isOmitted: omissionOf(format.omit, field, at) }),
  };
}

const nothing = { single: wordsOf('null'), collection: wordsOf('[]') };

const encoded = new WeakMap<object, Words>();

// A member up to its value. A model's columns are the same objects in every request, so that each name is encoded once.
function memberStart(column: SelectedColumn, typed: string | undefined): Words {
  if (typed !== undefined) return wordsOf(`,${typed}${nameOf(column)}`);
  const known = encoded.get(column) ?? wordsOf(nameOf(column));
  encoded.set(column, known);
  return known;
}

function nameOf({ name }: SelectedColumn): string {
  return `,${JSON.stringify(name)}:`;
}

/** The writer of a column's cells. */
export function columnWriter(
  { field, shape }: Pick<SelectedColumn, 'field' | 'shape'>,
  format: RecordFormat,
  origin: CellOrigin,
): CellWriter {
  return shape ? complexWriter({ shape, field, format, origin }) : cellWriter(field, format, origin);
}
