import { Readable } from 'node:stream';

/** Takes a piece of a payload; where it returns a promise, it wants no more before that is settled. */
export type TakeChunk = (chunk: Buffer) => Promise<void> | undefined;

/** What may wait for a client that is slow to read, in bytes, beside the one chunk that is being made. */
export const waitingBytes = 256 * 1024;

/**
 * The payload that `produce` makes: whole when it takes no chunk before its end, else a stream that begins with the
 * first chunk, while the others are still made. A failure before that is thrown; after it the stream is destroyed.
 */
export function bodyOf(produce: (take: TakeChunk) => Promise<Buffer>): Promise<Buffer | Readable> {
  return new Promise((resolve, reject) => {
    let stream: ChunkStream | undefined;
    const take: TakeChunk = (chunk) => {
      if (stream === undefined) resolve((stream = openStream()).readable);
      return stream.take(chunk);
    };
    produce(take).then(
      (last) => (stream === undefined ? resolve(last) : stream.end(last)),
      (reason: unknown) => (stream === undefined ? reject(reason) : stream.fail(reason)),
    );
  });
}

interface ChunkStream {
  readonly readable: Readable;
  readonly take: TakeChunk;
  readonly end: (last: Buffer) => void;
  readonly fail: (reason: unknown) => void;
}

function openStream(): ChunkStream {
  let waiting: (() => void) | undefined;
  let room: Promise<void> | undefined;
  const makeRoom = (): void => {
    room = undefined;
    waiting?.();
  };
  const readable = new Readable({
    highWaterMark: waitingBytes,
    read: makeRoom,
    destroy: (reason, done) => {
      makeRoom();
      done(reason);
    },
  });
  // Whoever sends it listens too; but a failure may come before they do.
  readable.on('error', () => undefined);
  return {
    readable,
    // What nobody will read is dropped, so that the maker comes to its end.
    take: (chunk) => (readable.destroyed || readable.push(chunk) ? undefined : (room ??= new Promise((settle) => (waiting = settle)))),
    end: (last) => {
      if (readable.destroyed) return;
      readable.push(last);
      readable.push(null);
    },
    fail: (reason) => void readable.destroy(reason instanceof Error ? reason : new Error(String(reason))),
  };
}
