import type { SelectedColumn } from '../plan/read-plan.js';
import { ByteWriter } from './byte-writer.js';
import { columnWriter, type RecordFormat } from './record-writer.js';

/** What stands around the value of a property. */
export interface PropertyFrame {
  readonly format: RecordFormat;
  /** The property's address beneath the service root. */
  readonly path: string;
  /** Of a collection, where it was asked for. */
  readonly count?: string;
}

/** The JSON of a single property (JSON format 11): a value, a collection, or the members of a complex value. */
export function renderProperty(column: SelectedColumn, cell: string, { format, path, count }: PropertyFrame): Buffer {
  const out = new ByteWriter(1024);
  const context = format.metadata === 'none' ? [] : [`"@odata.context":${JSON.stringify(`${format.root}/$metadata#${path}`)}`];
  const before = [...context, ...(count === undefined ? [] : [`"@odata.count":${count}`])].join(',');
  const bytes = Buffer.from(cell, 'utf8');
  out.text(column.shape === undefined || column.field.collection ? '"value":' : '');
  columnWriter(column, format, 'column')(out, bytes, 0, bytes.length);
  const value = out.finished().toString('utf8');
  if (value.startsWith('"value"')) return Buffer.from(`{${before}${before === '' ? '' : ','}${value}}`);
  return Buffer.from(before === '' ? value : `{${before}${value === '{}' ? '' : ','}${value.slice(1)}`);
}
