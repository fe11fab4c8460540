import { isDirect, streamColumns, type EntityContainer, type EntityType, type StoredRecord } from '../edm/index.js';
import { stepsOf } from '../plan/path/nested-path.js';
import type { Json } from '../json/json.js';
import { parseJsonObject } from '../json/parse-json.js';
import { valueAlong } from '../plan/value/value-along.js';
import { compileDropChunks, compileStoredHead } from '../sql/compile-stream.js';
import type { Connection } from '../sql/statement.js';
import type { LockedRecord } from './stored-record.js';

/** Deletes the streams of removed complex values; returns the new values of their columns. */
export async function removeStreams(
  type: EntityType,
  { id }: LockedRecord,
  changes: StoredRecord,
  connection: Connection,
  container: EntityContainer,
): Promise<StoredRecord> {
  const gone = Object.entries(type.streams ?? {}).filter(([name]) => !isDirect(name) && isRemoved(name, changes, container));
  const released = new Map<string, null>();
  for (const [, stream] of gone) {
    const [row] = await connection.run(compileStoredHead(type, id, stream));
    if (row?.[0] == null) continue;
    await connection.run(compileDropChunks(row[0]));
    for (const column of Object.values(streamColumns(stream))) released.set(column, null);
  }
  return released;
}

/** Whether changes remove the value at a path, or change its type. */
export function isRemoved(path: string, changes: StoredRecord, container: EntityContainer): boolean {
  const [root, ...inner] = stepsOf(path).steps;
  const stored = root && changes.get(root.name);
  if (root === undefined || stored === undefined) return false;
  const value: Json = typeof stored === 'string' ? parseJsonObject(Buffer.from(stored)) : null;
  return valueAlong({ kind: 'object', members: new Map([[root.name, value]]) }, [root, ...inner], container) === undefined;
}
