import { parseArrayLiteral } from './array-literal.js';
import { isArray, openColumn, type EntityType, type StoredRecord } from '../edm/index.js';
import type { Json } from '../json/json.js';
import { parseJsonObject } from '../json/parse-json.js';
import type { Row } from '../sql/statement.js';

/** A locked record: its number, version, the clock, and every property. */
export interface LockedRecord {
  /** Its own type, which may derive from the one that was asked for. */
  readonly type: EntityType;
  readonly id: string;
  readonly version: string;
  readonly now: string;
  readonly record: StoredRecord;
}

/** The row of `compileLock` by property name. */
export function lockedRecord(type: EntityType, row: Row): LockedRecord {
  const [id, version, now, ...cells] = row;
  const own = Object.keys(type.fields).filter((name) => !type.fields[name]?.more);
  const shared = own.length < Object.keys(type.fields).length ? sharedValues(cells[own.length] ?? null) : new Map<string, Json>();
  const open = type.open ? [[openColumn, cells.at(-1) ?? null] as const] : [];
  const entries = Object.entries(type.fields).map(([name, field]) => {
    const kept = field.more ? shared.get(name) : cells[own.indexOf(name)];
    const cell = typeof kept === 'string' ? kept : null;
    return [name, isArray(field) && cell !== null ? parseArrayLiteral(cell) : cell] as const;
  });
  return { type, id: id ?? '', version: version ?? '', now: now ?? '', record: new Map<string, string | null | readonly string[]>([...entries, ...open]) };
}

// The properties that a row has no room for: their texts by name.
function sharedValues(cell: string | null): ReadonlyMap<string, Json> {
  return cell === null ? new Map() : parseJsonObject(Buffer.from(cell)).members;
}
