import type { StoredRecord } from '../edm/index.js';
import { isArray, isObject, type Json, type JsonObject } from '../json/json.js';
import { parseValue } from '../json/parse-json.js';
import type { ValuePath } from '../plan/value/changed-items.js';

/** A value with an edited object at a path. */
export function editedAt(json: Json, [name, ...rest]: ValuePath, edit: (object: JsonObject) => JsonObject): Json {
  if (name === undefined) return isObject(json) ? edit(json) : json;
  if (isArray(json)) return { kind: 'array', items: json.items.map((item, index) => (index === name ? editedAt(item, rest, edit) : item)) };
  if (!isObject(json)) return json;
  return {
    kind: 'object',
    members: new Map([...json.members].map(([member, value]) => [member, member === name ? editedAt(value, rest, edit) : value])),
  };
}

/** The value at a path; null where it does not exist. */
export function valueAt(value: Json, path: ValuePath): Json {
  return path.reduce<Json>(within, value);
}

function within(json: Json, name: string | number): Json {
  if (isArray(json)) return (typeof name === 'number' ? json.items[name] : undefined) ?? null;
  return isObject(json) ? (json.members.get(String(name)) ?? null) : null;
}

/** The complex value or collection of an entity. */
export function storedValue(record: StoredRecord, root: string): Json {
  const text = record.get(root);
  return typeof text === 'string' ? parseValue(text) : null;
}
