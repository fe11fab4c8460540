import type { Field } from '../edm/index.js';
import { cellWriter } from './cell.js';
import type { RecordFormat } from './record-writer.js';

/** The JSON of a single property (JSON format 11): a primitive or a collection of them. */
export function renderProperty(field: Field, cell: string, format: RecordFormat, path: string): string {
  const context = format.metadata === 'none' ? '' : `"@odata.context":${JSON.stringify(`${format.root}/$metadata#${path}`)},`;
  return `{${context}"value":${cellWriter(field, format)(cell)}}`;
}
