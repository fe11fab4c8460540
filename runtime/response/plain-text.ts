import { primitives, type Field } from '../edm/index.js';
import { enumText } from '../expression/enum-members.js';
import { ByteWriter } from './byte-writer.js';
import { cellWriter } from './cell.js';
import type { PayloadFormat } from './payload-format.js';

const plain: PayloadFormat = { metadata: 'none', ieee754Compatible: false, streaming: false, version: '4.01' };

/** The text of a single cell without JSON's quotes, as in `/$value` and keys. */
export function plainText(field: Field, text: string): string {
  const { cell } = primitives[field.type];
  if (field.enumeration) return enumText(field.enumeration, text);
  if (cell === 'string' || cell === 'number' || cell === 'bigNumber') return text;
  const out = new ByteWriter(Buffer.allocUnsafe(64));
  const bytes = Buffer.from(text, 'utf8');
  cellWriter(field, plain, 'column')(out, bytes, 0, bytes.length);
  return out.finished().toString('utf8').replace(/^"|"$/g, '');
}
