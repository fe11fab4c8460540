import type { StoredRecord, Stream } from '../edm/index.js';
import { isArray, isObject, type Json, type JsonObject } from '../json/json.js';
import { parseValue } from '../json/parse-json.js';
import { printJson } from '../json/print-json.js';
import type { ItemLink } from '../plan/write/write-plan.js';
import { compileDropChunks } from '../sql/compile-stream.js';
import type { Connection } from '../sql/statement.js';
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
export async function setItemStream(locked: LockedRecord, { names, stream }: ItemOf, head: StreamHead | null, connection: Connection, scope: WriteScope): Promise<StreamHead | null> {
  const [root = '', ...inner] = names;
  const value = storedValue(locked.record, String(root));
  const item = inner.reduce<Json>(within, value);
  const before = isObject(item) ? headIn(item, stream) : null;
  if (before?.etag === head?.etag) {
    if (head) await connection.run(compileDropChunks(head.stream));
    return before;
  }
  const changed = edited(value, inner, (object) => withStream(object, stream, head));
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
  const facts: JsonObject = { kind: 'object', members: new Map([['stream', head.stream], ['type', head.type], ['length', String(head.length)], ['etag', `"${head.etag}"`]]) };
  return { kind: 'object', members: new Map([...others, [column, facts]]) };
}

function edited(json: Json, [name, ...rest]: ItemLink['names'], edit: (object: JsonObject) => JsonObject): Json {
  if (name === undefined) return isObject(json) ? edit(json) : json;
  if (isArray(json)) return { kind: 'array', items: json.items.map((item, index) => (index === name ? edited(item, rest, edit) : item)) };
  if (!isObject(json)) return json;
  return { kind: 'object', members: new Map([...json.members].map(([member, value]) => [member, member === name ? edited(value, rest, edit) : value])) };
}

function within(json: Json, name: string | number): Json {
  if (isArray(json)) return (typeof name === 'number' ? json.items[name] : undefined) ?? null;
  return isObject(json) ? (json.members.get(String(name)) ?? null) : null;
}

function storedValue(record: StoredRecord, root: string): Json {
  const text = record.get(root);
  return typeof text === 'string' ? parseValue(text) : null;
}
