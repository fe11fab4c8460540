import { isNumeric, type Field } from '../edm/index.js';
import { compareDecimal } from '../json/canonical-number.js';
import type { Cells } from './record-writer.js';

/** The values to omit from an answer (protocol 8.2.8.6): nulls, or defaults as well. */
export type Omission = 'nulls' | 'defaults';

/** The test whether an entity's value is omitted. */
export function omissionOf(omission: Omission, field: Field, cell: number): (cells: Cells) => boolean {
  const isOmitted = omission === 'nulls' ? isNull : isDefault;
  return (cells) => isOmitted(field, cells, cell);
}

// A collection is never null; one without a cell is empty.
function isNull(field: Field, { starts }: Cells, cell: number): boolean {
  return !field.collection && (starts[cell] ?? -1) < 0;
}

function isDefault(field: Field, { bytes, starts, ends }: Cells, cell: number): boolean {
  const start = starts[cell] ?? -1;
  if (field.collection) return start < 0 || ends[cell] === start + 2;
  if (start < 0 || field.default === undefined) return start < 0 && field.default === undefined;
  const text = bytes.toString('utf8', start, ends[cell]);
  // `t` in a column's text form, `true` inside an expansion.
  if (field.type === 'Edm.Boolean') return text[0] === field.default[0];
  return text === field.default || (isNumeric(field.type) && compareDecimal(text, field.default) === 0);
}
