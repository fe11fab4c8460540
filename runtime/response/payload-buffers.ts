import { viewOf } from './byte-writer.js';

/** The size of a chunk, with space for the row that exceeds it. */
export const chunkSize = 64 * 1024;
/** The largest payload that is sent as a whole: chunks would cost a tenth more. */
export const wholeSize = 512 * 1024;
const overhang = 16 * 1024;

/** A buffer for a payload, with a view of it. */
export interface Room {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/** Free buffers of one size. */
interface Shelf {
  readonly size: number;
  readonly most: number;
  readonly free: Room[];
}

const largest: Shelf = { size: wholeSize, most: 16, free: [] };

const shelves: readonly Shelf[] = [{ size: 16 * 1024, most: 64, free: [] }, { size: chunkSize, most: 32, free: [] }, largest];

interface Lent {
  readonly room: Room;
  readonly shelf: Shelf;
}

// A buffer is returned once, and only one of the pool.
const lent = new WeakMap<ArrayBufferLike, Lent>();

/**
 * A buffer for a payload of a size, reused if possible. Payloads beyond the largest size grow their buffer. New buffers
 * take longer to allocate than to fill, and are outside of the heap, which is collected only at 32 MB.
 */
export function takeRoom(size: number): Room {
  const shelf = shelves.find((one) => one.size + overhang >= size) ?? largest;
  const room = shelf.free.pop() ?? newRoom(shelf.size + overhang);
  lent.set(room.bytes.buffer, { room, shelf });
  return room;
}

/** A buffer for a payload that has outgrown another: the next size of the pool, or twice the size without reuse. */
export function takeLarger({ buffer, length }: Buffer, size: number): Room {
  const isKept = lent.has(buffer) && size <= largest.size + overhang;
  if (isKept) return takeRoom(size);
  const bytes = Buffer.allocUnsafe(Math.max(length * 2, size));
  return { bytes, view: viewOf(bytes) };
}

function newRoom(capacity: number): Room {
  const bytes = Buffer.allocUnsafeSlow(capacity);
  return { bytes, view: viewOf(bytes) };
}

/** Whether bytes are in a buffer of the pool. */
export function isLent({ buffer }: Uint8Array): boolean {
  return lent.has(buffer);
}

/** Returns the buffer of a sent payload to the pool; others are left to the collector. */
export function giveBack({ buffer }: Uint8Array): void {
  const taken = lent.get(buffer);
  if (taken === undefined) return;
  lent.delete(buffer);
  const { room, shelf } = taken;
  if (shelf.free.length < shelf.most) shelf.free.push(room);
}
