import { compileDropChunks, compileStoredHead } from './compile-stream.js';
import { isRemoved } from '../../store/nested-values.js';
import type { WriteTransaction } from '../../store/write-scope.js';
import type { LockedRecord } from '../../store/stored-record.js';
import { streamColumns, type EntityType, type StoredRecord, isDirect } from '../../edm/index.js';
/** Deletes the streams of removed complex values; returns the new values of their columns. */
export async function removeStreams(
  type: EntityType,
  { id }: LockedRecord,
  changes: StoredRecord,
  { connection, container }: WriteTransaction,
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
