import type { Stream } from '../edm/index.js';
import { isObject, type JsonObject } from '../json/json.js';
import { printJson } from '../json/print-json.js';
import type { ItemLink } from '../plan/write/write-plan.js';
import { compileDropChunks } from '../sql/compile-stream.js';
import type { Connection } from '../sql/statement.js';
import { editedAt, storedValue, valueAt } from './item-value.js';
import type { LockedRecord } from './stored-record.js';
import { ownChunks, type StreamHead } from './stream-store.js';
import { storeChanges } from './update-record.js';
import type { WriteScope } from './write-scope.js';

/** An item of a locked record, and one of its streams. */
export interface ItemOf {
  /** What leads to the item from the record: `Lines`, 0. */
  readonly names: ItemLink['names'];
  readonly stream: Stream;
}

/** Gives an item another stream, or none; the bytes of the one that it had go where no other item has them. The same content once more leaves no trace. */
export async function setItemStream(
  locked: LockedRecord,
  { names, stream }: ItemOf,
  head: StreamHead | null,
  connection: Connection,
  scope: WriteScope,
): Promise<StreamHead | null> {
  const [root = '', ...inner] = names;
  const value = storedValue(locked.record, String(root));
  const item = valueAt(value, inner);
  const before = isObject(item) ? headIn(item, stream) : null;
  if (before?.etag === head?.etag) {
    if (head) await connection.run(compileDropChunks(head.stream));
    return before;
  }
  const changed = editedAt(value, inner, (object) => withStream(object, stream, head));
  await storeChanges(locked.type, locked, new Map([[String(root), printJson(changed)]]), connection, scope);
  if (head) await ownChunks(locked.type, locked.id, head, connection);
  return head;
}

/** What an item says of a stream. */
export function headIn({ members }: JsonObject, { column }: Stream): StreamHead | null {
  const facts = members.get(column) ?? null;
  if (!isObject(facts)) return null;
  const [stream, type, length, etag] = ['stream', 'type', 'length', 'etag'].map((fact) => facts.members.get(fact));
  return { stream: String(stream), type: String(type), length: Number(length), etag: String(etag).slice(1, -1) };
}

// The ETag as it is shown, since answers copy what is stored.
function withStream({ members }: JsonObject, { column }: Stream, head: StreamHead | null): JsonObject {
  const others = [...members].filter(([name]) => name !== column);
  if (head === null) return { kind: 'object', members: new Map(others) };
  const facts: JsonObject = {
    kind: 'object',
    members: new Map([
      ['stream', head.stream],
      ['type', head.type],
      ['length', String(head.length)],
      ['etag', `"${head.etag}"`],
    ]),
  };
  return { kind: 'object', members: new Map([...others, [column, facts]]) };
}
