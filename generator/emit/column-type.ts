import { type Field, primitives } from '../../runtime/edm/index.js';

/** The longest varchar in PostgreSQL. */
const maxVarchar = 10_485_760;

/** The SQL type of a single value. */
export function scalarType({ type, maxLength, precision, scale }: Field): string {
  const { sql } = primitives[type];
  if (type === 'Edm.String') return maxLength === undefined || maxLength > maxVarchar ? 'text' : `varchar(${maxLength})`;
  if (type === 'Edm.Decimal') return precision === undefined || scale === undefined ? sql : `${sql}(${precision}, ${scale})`;
  if (type === 'Edm.DateTimeOffset' || type === 'Edm.TimeOfDay' || type === 'Edm.Duration') return `${sql}(${precision ?? 6})`;
  return sql;
}

/** The SQL type of a collection's items. */
export function itemType(field: Field): string {
  return field.type === 'Edm.String' ? 'text' : scalarType(field);
}

/** The OData type of single values or items where others have the same SQL type, with the length of binary data. */
export function sharedType({ type, enumeration, maxLength }: Field): string | undefined {
  if (enumeration !== undefined || !sharing.has(primitives[type].sql)) return undefined;
  return type === 'Edm.Binary' && maxLength !== undefined ? `${type}(${maxLength})` : type;
}

const sharing: ReadonlySet<string> = new Set(['smallint', 'bytea', 'jsonb']);
