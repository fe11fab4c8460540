import type { Field } from '../edm/index.js';
import { ByteWriter } from './byte-writer.js';
import { cellWriter } from './cell.js';
import type { RecordFormat } from './record-writer.js';

/** The JSON of a single property (JSON format 11): a primitive or a collection of them. */
export function renderProperty(field: Field, cell: string, format: RecordFormat, path: string): Buffer {
  const out = new ByteWriter(1024);
  out.text(format.metadata === 'none' ? '{"value":' : `{"@odata.context":${JSON.stringify(`${format.root}/$metadata#${path}`)},"value":`);
  const bytes = Buffer.from(cell, 'utf8');
  cellWriter(field, format, 'column')(out, bytes, 0, bytes.length);
  out.text('}');
  return out.finished();
}
