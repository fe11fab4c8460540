import { Readable } from 'node:stream';

/** Takes a piece of a payload; a returned promise asks to pause until it is settled. */
export type TakeChunk = (chunk: Buffer) => Promise<void> | undefined;

/** The bytes that may wait for a slow client, in addition to the current chunk. */
export const waitingBytes = 256 * 1024;

/** The payload that `produce` makes: complete if it fits in a chunk, else a stream, which a later failure destroys. */
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
  // The sender adds its own listener; but a failure may come earlier.
  readable.on('error', () => undefined);
  return {
    readable,
    // Chunks for a disconnected client are dropped, so that the producer ends.
    take: (chunk) => (readable.destroyed || readable.push(chunk) ? undefined : (room ??= new Promise((settle) => (waiting = settle)))),
    end: (last) => {
      if (readable.destroyed) return;
      readable.push(last);
      readable.push(null);
    },
    fail: (reason) => void readable.destroy(reason instanceof Error ? reason : new Error(String(reason))),
  };
}
