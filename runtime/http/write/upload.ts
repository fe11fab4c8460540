import type { Stream } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { chunkBytes } from '../../store/stream-store.js';
import type { Exchange } from '../exchange.js';

/** A body on its way into the database, of which the beginning has come. */
export interface Upload {
  /** Its bytes, once. */
  readonly take: () => AsyncIterable<Uint8Array>;
}

/** Those who send long streams, each of whom holds a connection of the database meanwhile. */
export interface UploadPlaces {
  readonly most: number;
  /** Takes a place, and gives what leaves it; undefined where all are taken. */
  readonly enter: () => (() => void) | undefined;
}

/** So many places. */
export function createUploadPlaces(most: number): UploadPlaces {
  let taken = 0;
  return {
    most,
    enter: () => {
      if (taken >= most) return undefined;
      taken += 1;
      return () => void (taken -= 1);
    },
  };
}

/**
 * Gives `work` a body. Its beginning is awaited before anybody takes a connection for it: what fits into one chunk has
 * come whole then, however slow its client is. Of longer ones there are only so many at once.
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

/** How many bytes of a refused stream are still taken. */
const mostRefused = 4 * 1024 * 1024;

// A client that is still sending would not see the answer; one that has much to send must not go on for nothing.
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
      // The database asks for another try now and then, and the bytes are gone.
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

// Who sends nothing for so long is not waited for.
function punctual(chunks: AsyncIterator<Uint8Array>, patience: number): NextChunk {
  return () =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(errors.requestTimeout()), patience);
      chunks
        .next()
        .then(resolve, reject)
        .finally(() => clearTimeout(late));
    });
}
