import type { Stream } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { chunkBytes } from '../store/stream-store.js';
import type { Exchange } from './exchange.js';

/** A body on its way into the database, of which the beginning has come. */
export interface Upload {
  /** Its bytes, once. */
  readonly take: () => AsyncIterable<Uint8Array>;
}

/**
 * Waits for the beginning of a body before anybody takes a connection for it: what fits into one chunk has come whole
 * then, however slow its client is.
 */
export async function beginUpload({ request, service }: Pick<Exchange, 'request' | 'service'>, { maxLength = Infinity }: Stream): Promise<Upload> {
  const rest = request.chunks(Math.min(maxLength, service.maxStream))[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  while (size < chunkBytes) {
    const { value, done } = await rest.next();
    if (done) break;
    first.push(value);
    size += value.length;
  }
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

async function* joined(first: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
