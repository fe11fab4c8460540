import type { EntityType } from '../../runtime/edm/entity-type.js';
import type { Field } from '../../runtime/edm/field.js';
import type { Row } from './state.js';

/** The address of a record, if it is a singleton, or its whole key is in the row and its type has a set. */
export function addressOf(row: Row, { entitySet, singleton, key, fields }: EntityType): string | undefined {
  if (singleton !== undefined) return `/${singleton}`;
  if (entitySet === undefined || key.length === 0 || key.some((name) => row[name] === undefined || row[name] === null)) return undefined;
  const literals = key.map((name) => literalOf(String(row[name]), fields[name]));
  const named = literals.length === 1 ? literals : literals.map((literal, index) => `${key[index]}=${literal}`);
  return `/${entitySet}(${named
    .map(encodeURIComponent)
    .map((part) => part.replaceAll('%3D', '='))
    .join(',')})`;
}

function literalOf(text: string, field: Field | undefined): string {
  if (field?.type === 'Edm.String' || field?.enumeration) return `'${text.replaceAll("'", "''")}'`;
  return field?.type === 'Edm.Duration' || field?.type === 'Edm.Binary' ? `${field.type.slice(4).toLowerCase()}'${text}'` : text;
}
