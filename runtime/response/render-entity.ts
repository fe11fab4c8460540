import type { ReadPlan } from '../plan/read-plan.js';
import { cellText, type RowBytes } from '../sql/statement.js';
import { entityPath } from './address.js';
import { ByteWriter } from './byte-writer.js';
import { contextUrl } from './context-url.js';
import { etagOf, type RecordFormat } from './record-writer.js';
import { rowWriter } from './render-collection.js';

/** A record that was read, as much of it as answers need: its row is gone when the next one comes. */
export interface RenderedEntity {
  readonly body: Buffer;
  readonly etag: string | undefined;
  /** Its canonical URL. */
  readonly url: string;
}

/** The JSON of one record; `context` is given where the specification fixes its form. */
export function renderEntity(plan: ReadPlan, row: RowBytes, format: RecordFormat, selected: boolean, context?: string): RenderedEntity {
  const { selection } = plan;
  const out = new ByteWriter(4096);
  const url = context ?? `${contextUrl(format.root, selection, selected)}/$entity`;
  const before = format.metadata === 'none' ? '' : `{"@odata.context":${JSON.stringify(url)}`;
  out.text(before);
  const from = out.length;
  rowWriter(selection, format)(out, row);
  // The record's own brace becomes the comma behind the context, or the end of an object that has nothing else.
  if (before !== '') out.bytes[from] = out.length - from > 2 ? 0x2c : 0x7d;
  const body = before !== '' && out.length - from === 2 ? out.finished().subarray(0, -1) : out.finished();
  return { body, etag: etagOfRow(plan, row), url: urlOfRow(plan, row, format.root) };
}

/** The ETag of a record that was read, where its type has one. */
export function etagOfRow({ selection }: ReadPlan, row: RowBytes): string | undefined {
  return selection.etag ? etagOf(cellText(row, selection.keyColumns.length) ?? '') : undefined;
}

/** The canonical URL of a record that was read. */
export function urlOfRow({ selection }: ReadPlan, row: RowBytes, root: string): string {
  const keys = selection.keyColumns.map((_, index) => cellText(row, index));
  return `${root}/${entityPath(selection.type, selection.keyColumns, keys)}`;
}
