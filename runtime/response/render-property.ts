import type { SelectedColumn } from '../plan/read-plan.js';
import { ByteWriter } from './byte-writer.js';
import { writeValue } from './dynamic-members.js';
import { columnWriter } from './column-members.js';
import type { RecordFormat } from './record-writer.js';
import { typeAnnotation } from './type-annotation.js';

/** What stands around the value of a property. */
interface PropertyFrame {
  readonly format: RecordFormat;
  /** The property's address beneath the service root. */
  readonly path: string;
  /** Of a collection, where it was asked for. */
  readonly count?: string;
  /** Of a dynamic property: the type that was said of its value, as JSON. */
  readonly said?: string;
}

// What was said of a dynamic value; of any other the model's type, where a client wants to know all (JSON format 4.6.3).
function typeOf(field: SelectedColumn['field'], { metadata }: RecordFormat, said: string | undefined): readonly string[] {
  if (metadata === 'none') return [];
  const type = metadata === 'full' ? typeAnnotation('', field) : undefined;
  return said !== undefined ? [`"@odata.type":${said}`] : type === undefined ? [] : [type];
}

/** The JSON of a single property (JSON format 11): a value, a collection, or the members of a complex value. */
export function renderProperty(column: SelectedColumn, cell: string, { format, path, count, said }: PropertyFrame): Buffer {
  const out = new ByteWriter(1024);
  const context = format.metadata === 'none' ? [] : [`"@odata.context":${JSON.stringify(`${format.root}/$metadata#${path}`)}`];
  const before = [...context, ...(count === undefined ? [] : [`"@odata.count":${format.ieee754Compatible ? `"${count}"` : count}`]), ...typeOf(column.field, format, said)].join(',');
  const bytes = Buffer.from(cell, 'utf8');
  const isDynamic = column.shape === undefined && column.field.type === 'Edm.ComplexType';
  const isObject = isDynamic ? cell.startsWith('{') : column.shape !== undefined && !column.field.collection;
  out.text(isObject ? '' : '"value":');
  if (isDynamic) writeValue(out, bytes, { start: 0, end: bytes.length }, format);
  else columnWriter(column, format, 'column')(out, bytes, 0, bytes.length);
  const value = out.finished().toString('utf8');
  if (value.startsWith('"value"')) return Buffer.from(`{${before}${before === '' ? '' : ','}${value}}`);
  return Buffer.from(before === '' ? value : `{${before}${value === '{}' ? '' : ','}${value.slice(1)}`);
}
