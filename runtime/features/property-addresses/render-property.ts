import type { SelectedColumn, Selection } from '../../plan/read-plan.js';
import type { RowBytes } from '../../sql/statement.js';
import { ByteWriter } from '../../response/byte-writer.js';
import { contextOf } from '../../response/context-url.js';
import { writeValue } from '../../response/dynamic-members.js';
import { columnWriter } from '../../response/column-members.js';
import { moveInside } from '../../response/move-inside.js';
import type { RecordFormat } from '../../response/record-format.js';
import { typeAnnotation } from '../../response/payload-format.js';
import { type LinkedValue, responseHooks } from '../../response/hooks.js';

/** The text around the value of a property. */
export interface PropertyFrame {
  readonly format: RecordFormat;
  /** The property's address beneath the service root. */
  readonly path: string;
  /** Of a collection, where it was asked for. */
  readonly count?: string;
  /** The stored type of a dynamic property's value, as JSON. */
  readonly valueType?: string;
  /** Additional members of a complex value. */
  readonly inside?: readonly ShownInside[];
  /** Where a single complex value is, for links in it. */
  readonly place?: Omit<LinkedValue, 'shape'> | undefined;
}

/** Members of a complex value, each with a comma in front, and the path to the value. */
export interface ShownInside {
  readonly within: readonly string[];
  readonly text: string;
}

/** The additional members within a complex value: annotations of its streams. */
export function shownInside(selection: Selection, format: RecordFormat, row: RowBytes, depth: number): readonly ShownInside[] {
  const inside = selection.streams ? responseHooks.get('streamMembers').within(selection, format, 'column') : [];
  return inside.map(({ within, write }) => {
    const out = new ByteWriter(Buffer.allocUnsafe(256));
    write(out, row);
    return { within: within.slice(depth), text: out.finished().toString('utf8') };
  });
}

// The stored type of a dynamic value; for others the model's type, in full metadata (JSON format 4.6.3).
function typeOf(field: SelectedColumn['field'], { metadata }: RecordFormat, valueType: string | undefined): readonly string[] {
  if (metadata === 'none') return [];
  const type = metadata === 'full' ? typeAnnotation('', field) : undefined;
  return valueType !== undefined ? [`"@odata.type":${valueType}`] : type === undefined ? [] : [type];
}

/** The JSON of a single property (JSON format 11): a value, a collection, or the members of a complex value. */
export function renderProperty(
  column: SelectedColumn,
  cell: string,
  { format, path, count, valueType, inside = [], place }: PropertyFrame,
): Buffer {
  const out = new ByteWriter(Buffer.allocUnsafe(1024));
  const context = format.metadata === 'none' ? [] : [`"@odata.context":${JSON.stringify(contextOf(format.root, path))}`];
  const before = [
    ...context,
    ...(count === undefined ? [] : [`"@odata.count":${format.ieee754Compatible ? `"${count}"` : count}`]),
    ...typeOf(column.field, format, valueType),
  ].join(',');
  const bytes = Buffer.from(cell, 'utf8');
  const isDynamic = column.shape === undefined && column.field.type === 'Edm.ComplexType';
  const isObject = isDynamic ? cell.startsWith('{') : column.shape !== undefined && !column.field.collection;
  out.text(isObject ? '' : '"value":');
  if (isDynamic) writeValue(out, bytes, { start: 0, end: bytes.length }, format);
  else columnWriter(column, format, 'column')(out, bytes, 0, bytes.length);
  if (isObject && inside.length > 0) showInside(out, inside);
  if (place && column.shape && isObject) responseHooks.get('fullLinks').ofValue(out, { ...place, shape: column.shape });
  const value = out.finished().toString('utf8');
  if (value.startsWith('"value"')) return Buffer.from(`{${before}${before === '' ? '' : ','}${value}}`);
  return Buffer.from(before === '' ? value : `{${before}${value === '{}' ? '' : ','}${value.slice(1)}`);
}

// The value's own brace is written once more.
function showInside(out: ByteWriter, inside: readonly ShownInside[]): void {
  out.length -= 1;
  for (const { within, text } of inside) {
    const at = out.length;
    out.text(at === 1 ? text.slice(1) : text);
    if (within.length > 0) moveInside(out, { from: 1, at }, within);
  }
  out.text('}');
}
