import type { ReadPlan } from '../plan/read-plan.js';
import { cellText, type RowBytes } from '../sql/statement.js';
import { entityPath, withinOf } from './address.js';
import { alikeWriters, type ByteWriter } from './byte-writer.js';
import { entityContextUrl } from './context-url.js';
import { etagOf, type RecordFormat } from './record-writer.js';
import { rowWriter } from './render-collection.js';

/** A record that was read, as much of it as answers need: its row is gone when the next one comes. */
export interface RenderedEntity {
  readonly body: Buffer;
  readonly etag: string | undefined;
}

/** Renders one record of a plan. */
export type RenderEntity = (row: RowBytes) => RenderedEntity;

/** The JSON of single records of one plan; `context` is given where the specification fixes its form, and empty within another answer. */
export function entityRenderer(plan: ReadPlan, format: RecordFormat, selected: boolean, context?: string): RenderEntity {
  const { selection } = plan;
  const url = context ?? entityContextUrl(format.root, selection, selected);
  const before = format.metadata === 'none' || url === '' ? '' : `{"@odata.context":${JSON.stringify(url)}`;
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
  // The record's own brace becomes the comma behind the context, or the end of an object that has nothing else.
  const empty = out.length - from === 2;
  out.bytes[from] = empty ? 0x7d : 0x2c;
  return empty ? out.finished().subarray(0, -1) : out.finished();
}

/** The ETag of a record that was read, where its type has one. */
export function etagOfRow({ selection }: ReadPlan, row: RowBytes): string | undefined {
  return selection.etag ? etagOf(cellText(row, selection.keyColumns.length) ?? '') : undefined;
}

/** The canonical URL of a record that was read. */
export function urlOfRow({ selection }: ReadPlan, row: RowBytes, root: string): string {
  const keys = selection.keyColumns.map((_, index) => cellText(row, index));
  return `${root}/${entityPath(selection.type, selection.keyColumns, keys, withinOf(selection))}`;
}
