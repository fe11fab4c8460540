import type { ExpandPlan, Selection } from '../plan/read-plan.js';
import { cellCount, expandOrderCells } from '../sql/record-cells.js';
import { encodePath, type Within } from './address.js';
import { responseHooks } from './hooks.js';
import type { ByteWriter } from './byte-writer.js';
import { contextPath } from './context-url.js';
import type { ExpandWriter } from './expand-writer.js';
import { moveInside } from './move-inside.js';
import { isArrayAt, readCells, skipSeparators } from './json-cells.js';
import { addressOf, membersWriter, textOf, typeNameOf, type Cells, type MembersWriter, type RecordFormat } from './record-writer.js';

/** Writes a record within an expansion, and knows the cells of the one that it wrote last. */
export interface NestedRecord {
  readonly write: (out: ByteWriter, source: Buffer, at: number, owner: () => string) => number;
  readonly text: (source: Buffer, cell: number) => string | null;
}

interface InnerExpand {
  readonly write: ExpandWriter;
  readonly isShown: (cells: Cells) => boolean;
  /** The path of the complex value that shows it. */
  readonly within: readonly string[] | undefined;
}

/** A nested record is an array of cells, or an array of that array and its own expansions. */
export function nestedRecord(
  expand: ExpandPlan,
  format: RecordFormat,
  writerOf: (expand: ExpandPlan, format: RecordFormat) => ExpandWriter,
): NestedRecord {
  const { selection } = expand;
  const members = membersOf(expand, format);
  const context = recordContext(expand, format);
  const expands = selection.expands.map((inner) => innerExpand(inner, selection, writerOf(inner, format)));
  const count = cellCount(selection) + expandOrderCells(expand).hidden.length;
  const bounds = { starts: new Int32Array(count), ends: new Int32Array(count) };
  const isContained = selection.type.contained !== undefined;
  const step = encodePath(expand.path ?? expand.source ?? expand.name);
  const write: NestedRecord['write'] = (out, source, from, owner) => {
    const wrapped = expands.length > 0 && isArrayAt(source, from);
    let at = readCells(source, wrapped ? skipSeparators(source, from + 1) : from, bounds);
    const { starts, ends } = bounds;
    const cells: Cells = isContained
      ? { bytes: source, starts, ends, within: () => withinOwner(owner(), step, expand) }
      : { bytes: source, starts, ends };
    const begin = beginObject(out);
    if (context !== '') out.text(context);
    const first = out.length;
    members(out, cells);
    for (const { write, isShown, within } of expands) {
      const { length } = out;
      at = write(out, source, skipSeparators(source, at), () => addressOf(selection, cells, 'json'));
      // A record of another type has no such property; there was only nothing to read over.
      if (!isShown(cells)) out.length = length;
      else if (within) moveInside(out, { from: first, at: length }, within);
    }
    endObject(out, begin);
    return wrapped ? skipSeparators(source, at) + 1 : at;
  };
  return { write, text: (source, cell) => textOf({ bytes: source, ...bounds }, cell, 'json') };
}

// Prepares an expansion of the entity, independent of its rows.
function innerExpand(expand: ExpandPlan, selection: Selection, write: ExpandWriter): InnerExpand {
  return { write, isShown: isShown(expand, selection), within: expand.within?.split('/') };
}

// A parent is addressed by the path before its child.
function withinOwner(owner: string, step: string, { up, collection }: ExpandPlan): Within {
  if (up === undefined) return { path: `${owner}/${step}`, alone: !collection };
  const parts = owner.split('/').slice(0, -up);
  return { path: parts.slice(0, parts.findLastIndex((part) => !isCast(part)) + 1).join('/'), alone: true };
}

function isCast(part: string): boolean {
  return part.includes('.') && !part.includes('(');
}

/** Whether a record has an expanded property. */
export function isShown(expand: ExpandPlan, selection: Selection): (cells: Cells) => boolean {
  const { of } = expand;
  return of ? (cells) => of.has(typeNameOf(selection, cells) ?? '') : () => true;
}

function membersOf(expand: ExpandPlan, format: RecordFormat): MembersWriter {
  if (expand.form === 'references') return referenceWriter(expand, format);
  return (expand.apply ? responseHooks.get('appliedMembers') : membersWriter)(expand.selection, format, 'json');
}

function recordContext({ source, collection, selection }: ExpandPlan, { metadata }: RecordFormat): string {
  return source === undefined || collection || metadata === 'none'
    ? ''
    : `,"@odata.context":${JSON.stringify(`#${contextPath(selection)}/$entity`)}`;
}

// An entity reference is the record's address and nothing else (JSON format 14).
function referenceWriter({ selection }: ExpandPlan, { root }: RecordFormat): MembersWriter {
  return (out, cells) => out.text(`,"@odata.id":${JSON.stringify(`${root}/${addressOf(selection, cells, 'json')}`)}`);
}

/** Begins an object: the comma in front of its first member makes room for the brace. Returns where it begins. */
export function beginObject(out: ByteWriter): number {
  out.ensure(2);
  return out.length;
}

/** Ends the object that begins there. */
export function endObject(out: ByteWriter, from: number): void {
  if (out.length === from) out.byte(0x7b);
  else out.bytes[from] = 0x7b;
  out.byte(0x7d);
}
