import type { EntityType } from '../edm/index.js';
import type { SelectedColumn } from '../plan/read-plan.js';
import { plainText } from './plain-text.js';

/** The URL of a record relative to the service root: `Property('100')`, its canonical one (URL conventions 4.3). */
export function entityPath(type: EntityType, keyColumns: readonly SelectedColumn[], keys: readonly (string | null)[]): string {
  const values = keyColumns.map((column, index) => keyValue(column, keys[index] ?? ''));
  const [only] = values;
  const key = values.length === 1 ? only : keyColumns.map(({ name }, index) => `${encodeURIComponent(name)}=${values[index]}`).join(',');
  // Names may have any letters, and a header only those of ASCII.
  return `${encodeURIComponent(type.entitySet ?? type.name)}(${key})`;
}

/** What follows a record's address where the set declares a base type of its own (JSON format 4.5.9): `/Ns.Employee`. */
export function castOf({ setType, qualifiedName }: EntityType): string {
  return setType === undefined ? '' : `/${encodeURIComponent(qualifiedName)}`;
}

function keyValue({ field }: SelectedColumn, cell: string): string {
  const text = plainText(field, cell);
  if (field.enumeration) return `${encodeURIComponent(field.enumeration.qualifiedName)}'${encodeURIComponent(text)}'`;
  if (field.type === 'Edm.Duration') return `duration'${text}'`;
  return field.type === 'Edm.String' ? `'${encodeURIComponent(text.replaceAll("'", "''"))}'` : encodeURIComponent(text);
}
