import type { EntityType } from '../edm/index.js';
import type { SelectedColumn } from '../plan/read-plan.js';
import { plainText } from './cell.js';

/** The URL of a record: `{root}/Property('100')`, its canonical one (URL conventions 4.3). */
export function entityUrl(root: string, type: EntityType, keyColumns: readonly SelectedColumn[], cells: readonly (string | null)[]): string {
  return `${root}/${entityPath(type, keyColumns, cells)}`;
}

/** The same, relative to the service root. */
export function entityPath(type: EntityType, keyColumns: readonly SelectedColumn[], cells: readonly (string | null)[]): string {
  const values = keyColumns.map((column, index) => keyValue(column, cells[index] ?? ''));
  const [only] = values;
  const key = values.length === 1 ? only : keyColumns.map(({ name }, index) => `${name}=${values[index]}`).join(',');
  return `${type.entitySet ?? type.name}(${key})`;
}

function keyValue({ field }: SelectedColumn, cell: string): string {
  const text = plainText(field, cell);
  return field.type === 'Edm.String' ? `'${encodeURIComponent(text.replaceAll("'", "''"))}'` : encodeURIComponent(text);
}
