/** A chunk, and room for the record that takes it beyond its size. */
export const chunkSize = 64 * 1024;
/** Payloads up to this size are sent whole: in chunks they would cost a tenth more. */
export const wholeSize = 512 * 1024;
const overhang = 16 * 1024;

/** Buffers of one size that have been sent, and wait to be used again. */
interface Shelf {
  readonly capacity: number;
  readonly most: number;
  readonly free: Buffer[];
}

const chunks: Shelf = { capacity: chunkSize + overhang, most: 32, free: [] };
const wholes: Shelf = { capacity: wholeSize + overhang, most: 16, free: [] };

// Whoever gives a buffer back gives it once, and nobody gives one that is not ours.
const lent = new WeakMap<ArrayBufferLike, Shelf>();

/**
 * A buffer for a chunk: one that has been sent, if there is one. Left to the collector they would come to 32 MB before
 * it comes for them, since they lie outside its heap.
 */
export function takeChunkBuffer(): Buffer {
  return take(chunks);
}

/** A buffer for a payload that will be larger than a chunk, and is sent whole. */
export function takeWholeBuffer(): Buffer {
  return take(wholes);
}

function take(shelf: Shelf): Buffer {
  const buffer = shelf.free.pop() ?? Buffer.allocUnsafeSlow(shelf.capacity);
  lent.set(buffer.buffer, shelf);
  return buffer;
}

/** Whether bytes lie in a buffer that is to be given back. */
export function isLent({ buffer }: Uint8Array): boolean {
  return lent.has(buffer);
}

/** Takes back the buffer of what was sent, and nobody will look at again; one of another origin is left to the collector. */
export function giveBuffer({ buffer }: Uint8Array): void {
  const shelf = lent.get(buffer);
  lent.delete(buffer);
  if (shelf !== undefined && shelf.free.length < shelf.most) shelf.free.push(Buffer.from(buffer));
}
