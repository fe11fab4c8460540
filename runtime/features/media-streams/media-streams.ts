import { streamAt } from './plan-stream.js';
import { streamSteps, streamsWithin } from './stream-members.js';
import { storeHooks } from '../../store/hooks.js';
import { planHooks } from '../../plan/hooks.js';
import { responseHooks } from '../../response/hooks.js';
import { httpHooks } from '../../http/hooks.js';
import type { Exchange } from '../../http/service.js';
import type { StreamTarget } from '../../plan/path/path-target.js';
import type { ODataResponse } from '../../protocol/message.js';
import { readStream } from './read-stream.js';
import { createMedia, deleteStream, putStream } from './write-stream.js';
import { compileDropChunks, compileStoredHead } from './stream-store.js';
import { isRemoved } from '../../store/nested-values.js';
import type { WriteTransaction } from '../../store/write-scope.js';
import type { LockedRecord } from '../../store/stored-record.js';
import { streamColumns, type EntityType, type StoredRecord, isDirect } from '../../edm/index.js';

/** Registers the reads and writes of media streams. */
export function registerMediaStreams(): void {
  planHooks.register({ streamAt });
  storeHooks.register({ removeStreams });
  responseHooks.register({ streamMembers: { steps: streamSteps, within: streamsWithin } });
  httpHooks.register({ streamOperations: { operate, createMedia } });
}

function operate(target: StreamTarget, exchange: Exchange): Promise<ODataResponse> {
  const { method } = exchange.request;
  if (method === 'PUT') return putStream(target, exchange);
  return method === 'DELETE' ? deleteStream(target, exchange) : readStream(target, exchange);
}

/** Deletes the streams of removed complex values; returns the new values of their columns. */
async function removeStreams(
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
