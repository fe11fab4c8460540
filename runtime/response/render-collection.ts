import type { CollectionPlan } from '../plan/read/plan-read.js';
import type { ReadPlan, Selection } from '../plan/read-plan.js';
import type { ODataError } from '../errors/odata-error.js';
import { cellsOf } from '../sql/record-cells.js';
import { cellText, type RowBytes } from '../sql/statement.js';
import { entityPath, withinOf } from './address.js';
import { alikeWriters, beginObject, type ByteWriter, chunkSize, endObject, type RowWriter, takeRoom, wholeSize } from './byte-writer.js';
import type { TakeChunk } from './chunked-body.js';
import { appliedContextUrl, contextUrl, entityContextUrl } from './context-url.js';
import { emptyExpansion, expandWriter, isShown } from './expand-writer.js';
import { responseHooks } from './hooks.js';
import { type InsideMembers, writeInside } from './move-inside.js';
import { addressOf, etagOf, type MembersWriter, type RecordFormat } from './record-format.js';
import { membersWriter } from './record-writer.js';

/** A page that is being written: its records come one by one, and what follows them last. */
export interface PageWriter {
  /** Where it returns a promise, the payload's reader wants no more before that is settled. */
  readonly add: (row: RowBytes) => Promise<void> | undefined;
  /** Writes an item that is no row. */
  readonly addText: (text: string) => void;
  /** The payload with a last member, or what of it was not given away in chunks. */
  readonly finish: (last: string | undefined) => Buffer;
}

/** Begins a page, with its count where that was asked for; what grows large is given away in chunks. */
export type OpenPage = (count: string | undefined, takeChunk: TakeChunk) => PageWriter;

/**
 * The JSON of pages of one plan (JSON format 12 and 13); `selected` is whether `$select` was used, for the context URL, and
 * `advice` what is wrong with the request and yet no error.
 */
export function pageOpener(
  { read }: Pick<CollectionPlan, 'read'>,
  format: RecordFormat,
  selected: boolean,
  advice: readonly ODataError[] = [],
  suffix = '',
): OpenPage {
  const { selection, sets, union } = read;
  if (union || sets) {
    const { context, members, rows } = responseHooks.get('crossSetRows')(read, format);
    return opener(context, format, rows ?? rowWriter(selection, format, members), messagesOf(advice));
  }
  const context = read.apply ? appliedContextUrl(format, selection, selected) : contextUrl(format, selection, selected);
  // Aggregated rows are no records.
  const isAggregated = read.apply !== undefined && selection.keyColumns.length === 0;
  return opener(
    `${context}${suffix}`,
    format,
    rowWriter(selection, format, isAggregated ? responseHooks.get('appliedMembers')(selection, format) : undefined),
    messagesOf(advice),
  );
}

/** The annotation Core.Messages after a comma; empty without advice. */
export function messagesOf(advice: readonly ODataError[] = []): string {
  const messages = advice.map((error) => ({ ...error.asDetail(), severity: 'warning' }));
  return messages.length === 0 ? '' : `,"@Org.OData.Core.V1.Messages":${JSON.stringify(messages)}`;
}

/** The JSON of pages of references. */
export function referencePageOpener(plan: CollectionPlan, format: RecordFormat, advice?: readonly ODataError[]): OpenPage {
  const { type, keyColumns } = plan.read.selection;
  const within = withinOf(plan.read.selection);
  const context = `${format.root}/$metadata#Collection($ref)`;
  if (plan.read.union) {
    const { rows } = responseHooks.get('crossSetRows')(plan.read, format);
    if (rows) return opener(context, format, rows, messagesOf(advice));
  }
  const writeReference: RowWriter = (out, row) => {
    const keys = keyColumns.map((_, index) => cellText(row, index));
    out.text(`{"@odata.id":${JSON.stringify(`${format.root}/${entityPath(type, keyColumns, keys, within)}`)}}`);
  };
  return opener(context, format, writeReference, messagesOf(advice));
}

// A count is an Int64 (JSON format 4.5.5).
function opener(context: string, { metadata, ieee754Compatible }: RecordFormat, writeRow: RowWriter, messages = ''): OpenPage {
  const before = metadata === 'none' ? '{' : `{"@odata.context":${JSON.stringify(context)}${messages},`;
  const quote = ieee754Compatible ? '"' : '';
  const writers = alikeWriters();
  return (count, takeChunk) => {
    const out = writers.open();
    out.text(`${before}${count === undefined ? '' : `"@odata.count":${quote}${count}${quote},`}"value":[`);
    let first = true;
    const separate = (): void => {
      if (!first) out.byte(0x2c);
      first = false;
    };
    let most = wholeSize;
    return {
      add: (row) => {
        separate();
        writeRow(out, row);
        if (out.length < most) return undefined;
        most = chunkSize;
        return takeChunk(out.continueIn(takeRoom(chunkSize)));
      },
      addText: (text) => {
        separate();
        out.text(text);
      },
      finish: (last) => {
        out.text(last === undefined ? ']}' : `],${last}}`);
        if (most === wholeSize) writers.note(out);
        return out.finished();
      },
    };
  };
}

/** The writer of a selection's rows: the cells come first, then the expansions. */
function rowWriter(selection: Selection, format: RecordFormat, members = membersWriter(selection, format, 'column')): RowWriter {
  const steps = expansionSteps(selection, format);
  return (out, row) => {
    const from = beginObject(out);
    members(out, row);
    for (const step of steps) writeInside(out, from, step, row);
    endObject(out, from);
  };
}

function expansionSteps(selection: Selection, format: RecordFormat): readonly InsideMembers[] {
  const cells = cellsOf(selection).count;
  return selection.expands.map((expand, index) => {
    const write = expandWriter(expand, format);
    const nothing = emptyExpansion(expand, format);
    const isThere = isShown(expand, selection);
    const step: MembersWriter = (out, row) => {
      if (!isThere(row)) return;
      const start = row.starts[cells + index] ?? -1;
      if (start < 0) out.text(nothing);
      else write(out, row.bytes, start, () => addressOf(selection, row, 'column'));
    };
    return { within: expand.within?.split('/') ?? [], write: step };
  });
}

/** A rendered entity, with the parts of its row that answers need: the row is reused for the next one. */
export interface RenderedEntity {
  readonly body: Buffer;
  readonly etag: string | undefined;
}

/** Renders one row of a plan. */
export type RenderEntity = (row: RowBytes) => RenderedEntity;

/**
 * Renders single entities of a plan; `context` is given where a specification fixes its form, and empty within another
 * answer; `advice` is as for a page.
 */
export function entityRenderer(
  plan: ReadPlan,
  format: RecordFormat,
  selected: boolean,
  context?: string,
  advice: readonly ODataError[] = [],
): RenderEntity {
  const { selection } = plan;
  const url = context ?? entityContextUrl(format, selection, selected);
  const before = format.metadata === 'none' || url === '' ? '' : `{"@odata.context":${JSON.stringify(url)}${messagesOf(advice)}`;
  const write = rowWriter(selection, format);
  const writers = alikeWriters();
  return (row) => {
    const out = writers.open();
    const body = renderBody(out, before, (to) => write(to, row));
    writers.note(out);
    return { body, etag: etagOfRow(plan, row) };
  };
}

function renderBody(out: ByteWriter, before: string, write: (out: ByteWriter) => void): Buffer {
  out.text(before);
  const from = out.length;
  write(out);
  if (before === '') return out.finished();
  // The opening brace of the entity becomes the comma after the context, or ends an otherwise empty object.
  const empty = out.length - from === 2;
  out.bytes[from] = empty ? 0x7d : 0x2c;
  return empty ? out.finished().subarray(0, -1) : out.finished();
}

/** The ETag of a row, where its type has one. */
export function etagOfRow({ selection }: ReadPlan, row: RowBytes): string | undefined {
  return selection.etag ? etagOf(cellText(row, selection.keyColumns.length) ?? '') : undefined;
}

/** The canonical URL of a row. */
export function urlOfRow({ selection }: ReadPlan, row: RowBytes, root: string): string {
  const keys = selection.keyColumns.map((_, index) => cellText(row, index));
  return `${root}/${entityPath(selection.type, selection.keyColumns, keys, withinOf(selection))}`;
}
