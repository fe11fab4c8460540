import { isDirect, targetOf, type EntityContainer, type EntityType, type StoredRecord, type Stream } from '../../edm/index.js';
import type { JsonObject } from '../../json/json.js';
import { parseValue } from '../../json/parse-json.js';
import type { Caller } from '../../plan/caller.js';
import { mediaTypeAccepted } from '../../plan/plan-stream.js';
import { editItems } from '../../plan/write/item-links.js';
import type { ItemLink } from '../../plan/write/write-plan.js';
import { compileNumbersBy } from '../../sql/compile-target.js';
import type { Connection } from '../../sql/statement.js';
import { findRecord } from '../../store/find-record.js';
import { byNumber } from '../../store/locate-record.js';
import { isTakenAway } from '../../store/release-streams.js';
import { setItemStream } from '../../store/set-item-stream.js';
import { setStream, storeChunks } from '../../store/stream-store.js';
import type { WriteScope } from '../../store/write-scope.js';

/** The content of a sample stream: a media type and bytes. */
interface SampleMedia {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A grey pixel, which suits most streams, and a text. */
const media: readonly SampleMedia[] = [
  {
    type: 'image/png',
    bytes: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64'),
  },
  { type: 'text/plain', bytes: Buffer.from('A sample.') },
];

/** Content that a stream accepts; for other media types, placeholder bytes. */
export function sampleMedia({ mediaTypes, maxLength = Infinity }: Stream): SampleMedia | undefined {
  const named = mediaTypes?.find((type) => !type.includes('*'));
  const found =
    media.find(({ type }) => mediaTypeAccepted(type, mediaTypes)) ??
    (named === undefined ? undefined : { type: named, bytes: Buffer.from('A sample.') });
  return found && found.bytes.length <= maxLength ? found : undefined;
}

/** The caller that writes samples, in a container without restrictions. */
export const sampler: Caller = { subject: 'samples', scopes: new Set() };

/** Gives a sample record something in each of its streams, those of items too. */
export async function fillStreams(type: EntityType, id: string, connection: Connection, container: EntityContainer): Promise<void> {
  const scope: WriteScope = { container, extensions: {}, caller: sampler, member: undefined, named: new Map() };
  for (const [name, stream] of Object.entries(type.streams ?? {})) {
    const sample = sampleMedia(stream);
    const locked = sample && (await findRecord(type, byNumber(id), connection, container));
    // A complex value may be none, or of a type that has no such stream.
    if (locked && (isDirect(name) || !isTakenAway(name, locked.record, container)))
      await setStream(locked, stream, await storeChunks(sample.type, once(sample.bytes), connection), connection, scope);
  }
  for (const [path, stream] of Object.entries(type.itemStreams ?? {})) {
    const sample = sampleMedia(stream);
    const found = sample && (await findRecord(type, byNumber(id), connection, container));
    for (const names of found ? itemsWith(type, path, found.record, container) : []) {
      const locked = await findRecord(type, byNumber(id), connection, container);
      if (locked && sample)
        await setItemStream(locked, { names, stream }, await storeChunks(sample.type, once(sample.bytes), connection), connection, scope);
    }
  }
}

/** Gives what the items of a sample contain something in each of its streams, and what that contains in turn. */
export async function fillContents(
  type: EntityType,
  id: string,
  connection: Connection,
  container: EntityContainer,
  isWithin = false,
): Promise<void> {
  const contained = [
    ...Object.values(type.itemNavigation ?? {}).map(({ target, contains }) => ({ target, column: contains })),
    ...Object.values(type.navigation).map(({ target, contains, join }) => ({
      target,
      column: contains && isWithin ? join['#id'] : undefined,
    })),
  ];
  for (const { target, column } of contained) {
    const inner = targetOf(container, { target });
    const rows = column === undefined ? [] : await connection.run(compileNumbersBy(inner, column, id));
    for (const [number] of rows) {
      const found = await findRecord(inner, byNumber(number ?? ''), connection, container);
      if (found === undefined) continue;
      await fillStreams(found.type, found.id, connection, container);
      await fillContents(found.type, found.id, connection, container, true);
    }
  }
}

// Where a record has items with the stream of that path.
function itemsWith(type: EntityType, path: string, record: StoredRecord, container: EntityContainer): readonly ItemLink['names'][] {
  const [root = ''] = path.split('/');
  const value = record.get(root);
  const found: ItemLink['names'][] = [];
  const body: JsonObject = { kind: 'object', members: new Map([[root, typeof value === 'string' ? parseValue(value) : null]]) };
  editItems(type, body, path, { container }, (item, names) => {
    found.push(names);
    return item;
  });
  return found;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
