/** A chunk, and room for the record that takes it beyond its size. */
export const chunkSize = 64 * 1024;
const capacity = chunkSize + 16 * 1024;

const most = 32;
const free: Buffer[] = [];

/**
 * A buffer for a chunk: one that has been sent, if there is one. Left to the collector they would come to 32 MB before
 * it comes for them, since they lie outside its heap.
 */
export function takeChunkBuffer(): Buffer {
  return free.pop() ?? Buffer.allocUnsafeSlow(capacity);
}

/** Takes back the buffer of a chunk that nobody will look at again; one that was made larger is left to the collector. */
export function giveChunkBuffer(chunk: Uint8Array): void {
  if (chunk.buffer.byteLength === capacity && free.length < most) free.push(Buffer.from(chunk.buffer));
}
