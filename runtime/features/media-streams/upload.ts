import type { Stream } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { chunkBytes } from './stream-store.js';
import type { Exchange } from '../../http/service.js';
import { inTime } from '../../errors/in-time.js';

/** A body to store, of which the beginning has arrived. */
export interface Upload {
  /** Its bytes, readable once. */
  readonly take: () => AsyncIterable<Uint8Array>;
}

/**
 * Passes a body to `work`. Its first chunk must arrive before a connection is acquired: short bodies have then arrived,
 * however slow the client. Longer ones are limited in number.
 */
export async function withUpload<T>(
  { request, service }: Pick<Exchange, 'request' | 'service'>,
  { maxLength = Infinity }: Stream,
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  const { uploads, maxStream, readerTimeout } = service;
  const rest = punctual(request.chunks(Math.min(maxLength, maxStream))[Symbol.asyncIterator](), readerTimeout);
  const { first, isWhole } = await readFirst(rest);
  if (isWhole || uploads === undefined) return work(uploadOf(first, rest));
  const leave = uploads.enter();
  if (leave === undefined) return refuse(rest, uploads.most);
  try {
    return await work(uploadOf(first, rest));
  } finally {
    leave();
  }
}

/** The bytes of a rejected stream that are still read. */
const mostRefused = 4 * 1024 * 1024;

// A client that is still sending would not see the answer; after a limit the connection is closed.
async function refuse(rest: NextChunk, most: number): Promise<never> {
  let taken = 0;
  for (let next = await rest(); !next.done; next = await rest()) {
    taken += next.value.length;
    if (taken > mostRefused) throw errors.tooManyUploads(most).withHeaders({ Connection: 'close' });
  }
  throw errors.tooManyUploads(most);
}

type NextChunk = () => Promise<IteratorResult<Uint8Array>>;

async function readFirst(next: NextChunk): Promise<{ readonly first: readonly Uint8Array[]; readonly isWhole: boolean }> {
  const first: Uint8Array[] = [];
  for (let size = 0; size < chunkBytes;) {
    const { value, done } = await next();
    if (done) return { first, isWhole: true };
    first.push(value);
    size += value.length;
  }
  return { first, isWhole: false };
}

function uploadOf(first: readonly Uint8Array[], rest: NextChunk): Upload {
  let isTaken = false;
  return {
    take: () => {
      // A retry of the transaction is impossible, since the bytes are gone.
      if (isTaken) throw errors.databaseUnavailable();
      isTaken = true;
      return joined(first, rest);
    },
  };
}

async function* joined(first: readonly Uint8Array[], rest: NextChunk): AsyncGenerator<Uint8Array> {
  yield* first;
  for (let next = await rest(); !next.done; next = await rest()) yield next.value;
}

// A client that pauses too long is rejected.
function punctual(chunks: AsyncIterator<Uint8Array>, patience: number): NextChunk {
  return () => inTime(chunks.next(), patience, errors.requestTimeout);
}
