import { type EntityContainer, type EntityType, isDirect, type Stream } from '../../edm/index.js';
import type { Caller } from '../../plan/caller.js';
import { mediaTypeAccepted } from '../../plan/plan-stream.js';
import type { Connection } from '../../sql/statement.js';
import { byNumber, findRecord } from '../../store/locate-record.js';
import { isRemoved } from '../../store/nested-values.js';
import { setStream, storeChunks } from '../../features/media-streams/stream-store.js';
import type { WriteTransaction } from '../../store/write-scope.js';

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

/** Gives a sample record something in each of its streams. */
export async function fillStreams(type: EntityType, id: string, connection: Connection, container: EntityContainer): Promise<void> {
  const scope: WriteTransaction = { connection, container, extensions: {}, caller: sampler, member: undefined, named: new Map() };
  for (const [name, stream] of Object.entries(type.streams ?? {})) {
    const sample = sampleMedia(stream);
    const locked = sample && (await findRecord(type, byNumber(id), { connection, container }));
    // A complex value may be none, or of a type that has no such stream.
    if (locked && (isDirect(name) || !isRemoved(name, locked.record, container)))
      await setStream(locked, stream, await storeChunks(sample.type, once(sample.bytes), connection), scope);
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
