import type { ReadPlan } from '../plan/read-plan.js';
import { cellText, type RowBytes } from '../sql/statement.js';
import { entityPath, withinOf } from './address.js';
import { alikeWriters, type ByteWriter } from './byte-writer.js';
import { entityContextUrl } from './context-url.js';
import { etagOf, type RecordFormat } from './record-writer.js';
import { rowWriter } from './render-collection.js';

/** A rendered entity, with the parts of its row that answers need: the row is reused for the next one. */
export interface RenderedEntity {
  readonly body: Buffer;
  readonly etag: string | undefined;
}

/** Renders one row of a plan. */
export type RenderEntity = (row: RowBytes) => RenderedEntity;

/**
 * Renders single entities of a plan; `context` is given where a specification fixes its form, and empty within another
 * answer.
 */
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
