import { beginObject, type ByteWriter, endObject } from './byte-writer.js';
import type { ExpandPage, ExpandPlan, Selection } from '../plan/read-plan.js';
import { expandedCount, expandOrderCells, isAppended, ownCount } from '../sql/record-cells.js';
import { encodePath, type Within } from './address.js';
import { contextPath } from './context-url.js';
import { type CellBounds, isEndAt, isFalseAt, isNullAt, readCells, skipSeparators } from './scan-json.js';
import { moveInside } from './move-inside.js';
import { addressOf, type Cells, type LinkOf, type MembersWriter, type RecordFormat, textOf, typeNameOf } from './record-format.js';
import { membersWriter } from './record-writer.js';

/** Writes an expansion from the JSON text at `at`, and returns the offset after it. */
type ExpandWriter = (out: ByteWriter, source: Buffer, at: number, owner: () => string) => number;

/** An expansion as members of its record: the count where it was asked for, then the records, then the link to further ones. */
export function expandWriter(expand: ExpandPlan, format: RecordFormat): ExpandWriter {
  const write = shownWriter(expand, format);
  return expand.existsWhere === undefined ? write : unlessFalse(write);
}

// An absent expansion is `false`.
function unlessFalse(write: ExpandWriter): ExpandWriter {
  return (out, source, at, owner) => (isFalseAt(source, at) ? at + 5 : write(out, source, at, owner));
}

function shownWriter(expand: ExpandPlan, format: RecordFormat): ExpandWriter {
  if (expand.form === 'count') return number(countName(expand), format);
  const { addresses: _, ...inner } = format;
  const record = nestedRecord(expand, inner);
  const name = `${collectionContext(expand, format)},${JSON.stringify(expand.name)}:`;
  if (!expand.collection) return single(name, record);
  const many = expand.page === undefined ? array(name, record) : pageWriter(name, record, expand, expand.page, format.linkOf);
  return expand.count ? counted(number(countName(expand), format), many) : many;
}

/** The text of an expansion without a target: the cell is null. */
export function emptyExpansion(expand: ExpandPlan, format: RecordFormat): string {
  return `${collectionContext(expand, format)},${JSON.stringify(expand.name)}:${expand.collection ? '[]' : 'null'}`;
}

// An undeclared property has a context URL (JSON format 4.6.1).
function collectionContext({ name, source, collection, selection }: ExpandPlan, { metadata }: RecordFormat): string {
  if (source === undefined || !collection || metadata === 'none') return '';
  return `,${JSON.stringify(`${name}@odata.context`)}:${JSON.stringify(`#${contextPath(selection)}`)}`;
}

function countName({ name }: ExpandPlan): string {
  return `,${JSON.stringify(`${name}@odata.count`)}:`;
}

function single(name: string, record: NestedRecord): ExpandWriter {
  return (out, source, at, owner) => {
    out.text(name);
    if (!isNullAt(source, at)) return record.write(out, source, at, owner);
    out.text('null');
    return at + 4;
  };
}

function array(name: string, record: NestedRecord): ExpandWriter {
  const begin = Buffer.from(`${name}[`, 'utf8');
  return (out, source, from, owner) =>
    writeArray(out, source, from, begin, (at, index) => {
      if (index > 0) out.byte(0x2c);
      return record.write(out, source, at, owner);
    });
}

// The row beyond the page only implies a next link, so its text is discarded.
function pageWriter(name: string, record: NestedRecord, expand: ExpandPlan, page: ExpandPage, linkOf: LinkOf): ExpandWriter {
  const last = expandOrderCells(expand).cells;
  const suffix = expand.form === 'references' ? '/$ref' : '';
  const begin = Buffer.from(`${name}[`, 'utf8');
  return (out, source, from, owner) => {
    let after: readonly (string | null)[] = [];
    let link: string | undefined;
    const end = writeArray(out, source, from, begin, (at, index) => {
      const { length } = out;
      if (index > 0) out.byte(0x2c);
      const next = record.write(out, source, at, owner);
      if (index === page.size - 1) after = last.map((cell) => record.text(source, cell));
      if (index < page.size) return next;
      out.length = length;
      link = linkOf(`${owner()}/${encodePath(expand.path ?? expand.source ?? expand.name)}${suffix}`, expand, page.options, after);
      return next;
    });
    if (link !== undefined) out.text(`,${JSON.stringify(`${expand.name}@odata.nextLink`)}:${JSON.stringify(link)}`);
    return end;
  };
}

type ItemWriter = (at: number, index: number) => number;

// `begin` is the text before the first item.
function writeArray(out: ByteWriter, source: Buffer, from: number, begin: Buffer, writeItem: ItemWriter): number {
  out.copy(begin, 0, begin.length);
  if (isNullAt(source, from)) {
    out.byte(0x5d);
    return from + 4;
  }
  let at = skipSeparators(source, from + 1);
  for (let index = 0; !isEndAt(source, at); index++) at = skipSeparators(source, writeItem(at, index));
  out.byte(0x5d);
  return at + 1;
}

function number(name: string, { ieee754Compatible }: RecordFormat): ExpandWriter {
  const quote = ieee754Compatible ? '"' : '';
  return (out, source, start) => {
    let end = start;
    while ((source[end] ?? 0) >= 0x30 && (source[end] ?? 0) <= 0x39) end++;
    out.text(name + quote);
    out.copy(source, start, end);
    out.text(quote);
    return end;
  };
}

// `[count, records]`, as compileExpand builds it.
function counted(count: ExpandWriter, many: ExpandWriter): ExpandWriter {
  return (out, source, from, owner) => {
    const next = count(out, source, skipSeparators(source, from + 1), owner);
    return skipSeparators(source, many(out, source, skipSeparators(source, next), owner)) + 1;
  };
}

/** Writes a record within an expansion, and knows the cells of the one that it wrote last. */
interface NestedRecord {
  readonly write: (out: ByteWriter, source: Buffer, at: number, owner: () => string) => number;
  readonly text: (source: Buffer, cell: number) => string | null;
}

/** A nested record is an array of cells, or an array of that array and the expansions whose cells are not in it. */
export function nestedRecord(expand: ExpandPlan, format: RecordFormat): NestedRecord {
  const count = expandedCount(expand);
  const bounds = { starts: new Int32Array(count), ends: new Int32Array(count) };
  const isWrapped = !expand.selection.expands.every(isAppended);
  const writeRecord = recordWriter(expand, format, bounds);
  const write: NestedRecord['write'] = (out, source, from, owner) => {
    const at = readCells(source, isWrapped ? skipSeparators(source, from + 1) : from, bounds);
    const next = writeRecord(out, source, at, owner);
    return isWrapped ? skipSeparators(source, next) + 1 : next;
  };
  return { write, text: (source, cell) => textOf({ bytes: source, ...bounds }, cell, 'json') };
}

// Writes a record whose cells have been read; at the offset are its expansions that are not among them.
function recordWriter(expand: ExpandPlan, format: RecordFormat, { starts, ends }: CellBounds): ExpandWriter {
  const { selection } = expand;
  const members = membersOf(expand, format);
  const context = recordContext(expand, format);
  let next = ownCount(expand);
  const expands = selection.expands.map((inner) => {
    const shown = { isShown: isShown(inner, selection), within: inner.within?.split('/') };
    if (!isAppended(inner)) return { ...shown, write: expandWriter(inner, format) };
    const from = next;
    next += expandedCount(inner);
    const bounds = { starts: starts.subarray(from, next), ends: ends.subarray(from, next) };
    return { ...shown, write: appendedWriter(inner, format, bounds) };
  });
  const isContained = selection.type.contained !== undefined;
  const step = encodePath(expand.path ?? expand.source ?? expand.name);
  return (out, source, from, owner) => {
    const cells: Cells = isContained
      ? { bytes: source, starts, ends, within: () => withinOwner(owner(), step, expand) }
      : { bytes: source, starts, ends };
    const begin = beginObject(out);
    if (context !== '') out.text(context);
    const first = out.length;
    members(out, cells);
    let at = from;
    for (const { write, isShown, within } of expands) {
      const { length } = out;
      at = write(out, source, skipSeparators(source, at), () => addressOf(selection, cells, 'json'));
      // A record of another type has no such property; there was only nothing to read over.
      if (!isShown(cells)) out.length = length;
      else if (within) moveInside(out, { from: first, at: length }, within);
    }
    endObject(out, begin);
    return at;
  };
}

// The first cell is of the key, so it is null only without a record.
function appendedWriter(expand: ExpandPlan, format: RecordFormat, bounds: CellBounds): ExpandWriter {
  const name = `,${JSON.stringify(expand.name)}:`;
  const write = recordWriter(expand, format, bounds);
  return (out, source, at, owner) => {
    out.text(name);
    if ((bounds.starts[0] ?? -1) >= 0) return write(out, source, at, owner);
    out.text('null');
    return at;
  };
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
  return expand.form === 'references' ? referenceWriter(expand, format) : membersWriter(expand.selection, format, 'json');
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
