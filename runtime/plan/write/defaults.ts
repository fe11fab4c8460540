import type { EntityType, Field, StoredRecord } from '../../edm/index.js';
import { databaseText } from '../../schema/identifier.js';

/** The values of a new entity with defaults for omitted properties; the key of its address takes precedence. */
export function withDefaults(type: EntityType, values: StoredRecord, key: StoredRecord = new Map()): StoredRecord {
  const whole = new Map(defaultsOf(type));
  values.forEach((value, name) => whole.set(name, value));
  key.forEach((value, name) => whole.set(name, value));
  return whole;
}

const defaultsByType = new WeakMap<EntityType, StoredRecord>();

function defaultsOf(type: EntityType): StoredRecord {
  const known = defaultsByType.get(type) ?? findDefaults(type);
  defaultsByType.set(type, known);
  return known;
}

function findDefaults(type: EntityType): StoredRecord {
  const defaults = Object.entries(type.fields).flatMap(([name, field]) => {
    const value = defaultOf(field);
    return value === undefined ? [] : [[name, value] as const];
  });
  return new Map(defaults);
}

/** A property's default in the database's text form. */
export function defaultOf({ type, default: initial }: Field): string | undefined {
  return initial === undefined ? undefined : databaseText(type, initial);
}
