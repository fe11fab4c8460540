import { propertyOf, type EntityType, type PrimitiveTypeName, type StoredRecord, type StoredValue } from '../edm/index.js';
import { databaseText } from '../schema/database-text.js';
import { isNumber, isObject, type Json } from '../json/json.js';
import { parseJsonObject } from '../json/parse-json.js';

/** The value of a column in the database's text form; for a nested key property that of the complex value's member. */
export function columnValue(type: EntityType, record: StoredRecord, column: string): StoredValue {
  const within = Object.values(type.keyFields ?? {}).find((field) => field.column === column);
  return within === undefined ? (record.get(propertyOf(type, column)) ?? null) : textWithin(record, within.path, within.type);
}

/** The value at a path into a complex value, in the database's text form. */
export function textWithin(record: StoredRecord, path: string, type: PrimitiveTypeName): string | null {
  const text = valueWithin(record, path);
  return text === null ? null : databaseText(type, text);
}

/** The value in its JSON form, ignoring type casts of the path. */
export function valueWithin(record: StoredRecord, path: string): string | null {
  const [first = '', ...names] = path.split('/').filter((name) => !name.includes('.'));
  const stored = record.get(first);
  if (typeof stored !== 'string') return null;
  if (names.length === 0) return stored;
  const value = names.reduce<Json>(
    (json, name) => (isObject(json) ? (json.members.get(name) ?? null) : null),
    parseJsonObject(Buffer.from(stored)),
  );
  if (typeof value === 'string' || value === null) return value;
  return isNumber(value) ? value.text : String(value);
}
