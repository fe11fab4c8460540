import type { EntityContainer } from '../edm/index.js';
import type { Json } from '../json/json.js';
import { parseValue } from '../json/parse-json.js';
import { itemAt, type ItemPlace } from '../plan/item-stream.js';
import { noSuchStream, type StreamTarget } from '../plan/plan-stream.js';
import { compileValuesOf, tablePlace } from '../sql/compile-target.js';
import type { Connection } from '../sql/statement.js';
import { headIn, setItemStream } from './set-item-stream.js';
import type { LockedRecord } from './stored-record.js';
import { findStream, setStream, storedStream, type StreamHead } from './stream-store.js';
import type { WriteScope } from './write-scope.js';

/** The stream that a path leads to: null where the record or the item has none, undefined where neither is there. */
export async function findTargetStream(
  target: StreamTarget,
  connection: Connection,
  container: EntityContainer,
): Promise<StreamHead | null | undefined> {
  const { item, stream } = target;
  if (item === undefined) return findStream(target, stream, connection);
  const [row] = await connection.run(compileValuesOf(tablePlace(target), [item.value]));
  const found = row && itemAt(valueOf(row[0]), item, container);
  return found && headIn(found.json, stream);
}

/** The same of the record, which is locked. */
export async function storedTargetStream(
  target: StreamTarget,
  locked: LockedRecord,
  connection: Connection,
  container: EntityContainer,
): Promise<StreamHead | null> {
  const { item, stream } = target;
  return item === undefined ? storedStream(locked, stream, connection) : headIn(requireItem(target, item, locked, container).json, stream);
}

/** Gives what a path leads to another stream, or none; gives the one that it has then. */
export async function setTargetStream(
  target: StreamTarget,
  locked: LockedRecord,
  head: StreamHead | null,
  connection: Connection,
  scope: WriteScope,
): Promise<StreamHead | null> {
  const { item, stream } = target;
  if (item === undefined) return setStream(locked, stream, head, connection, scope);
  const { names } = requireItem(target, item, locked, scope.container);
  return setItemStream(locked, { names, stream }, head, connection, scope);
}

function requireItem(
  target: StreamTarget,
  item: ItemPlace,
  { record }: LockedRecord,
  container: EntityContainer,
): NonNullable<ReturnType<typeof itemAt>> {
  const [root = ''] = item.names;
  const found = itemAt(valueOf(record.get(String(root))), item, container);
  if (found === undefined) throw noSuchStream(target);
  return found;
}

function valueOf(stored: unknown): Json {
  return typeof stored === 'string' ? parseValue(stored) : null;
}
