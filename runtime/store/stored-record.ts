import { parseArrayLiteral } from './array-literal.js';
import { isArray, type EntityType, type StoredRecord } from '../edm/index.js';
import type { Row } from '../sql/statement.js';

/** A locked record: its number, version, the clock, and every property. */
export interface LockedRecord {
  readonly id: string;
  readonly version: string;
  readonly now: string;
  readonly record: StoredRecord;
}

/** The row of `compileLock` by property name. */
export function lockedRecord(type: EntityType, row: Row): LockedRecord {
  const [id, version, now, ...cells] = row;
  const entries = Object.entries(type.fields).map(([name, field], index) => {
    const cell = cells[index] ?? null;
    return [name, isArray(field) && cell !== null ? parseArrayLiteral(cell) : cell] as const;
  });
  return { id: id ?? '', version: version ?? '', now: now ?? '', record: new Map(entries) };
}
