import { isDirect, streamColumns, type EntityType, type StoredRecord } from '../edm/index.js';
import { isObject, type Json } from '../json/json.js';
import { parseJsonObject } from '../json/parse-json.js';
import { compileDropChunks, compileStoredHead } from '../sql/compile-stream.js';
import type { Connection } from '../sql/statement.js';
import type { LockedRecord } from './stored-record.js';

/** The streams of complex values that changes take away go with them; gives what the record then has of them. */
export async function releaseStreams(type: EntityType, { id }: LockedRecord, changes: StoredRecord, connection: Connection): Promise<StoredRecord> {
  const gone = Object.entries(type.streams ?? {}).filter(([name]) => !isDirect(name) && isTakenAway(name.split('/').slice(0, -1), changes));
  const released = new Map<string, null>();
  for (const [, stream] of gone) {
    const [row] = await connection.run(compileStoredHead(type, id, stream));
    if (row?.[0] == null) continue;
    await connection.run(compileDropChunks(row[0]));
    for (const column of Object.values(streamColumns(stream))) released.set(column, null);
  }
  return released;
}

function isTakenAway([root = '', ...inner]: readonly string[], changes: StoredRecord): boolean {
  const stored = changes.get(root);
  if (stored === undefined) return false;
  const value: Json = typeof stored === 'string' ? parseJsonObject(Buffer.from(stored)) : null;
  return inner.reduce<Json>((json, name) => (json !== null && isObject(json) ? (json.members.get(name) ?? null) : null), value) === null;
}
