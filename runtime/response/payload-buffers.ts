import { viewOf } from '../database/data-view.js';

/** A chunk, and room for the record that takes it beyond its size. */
export const chunkSize = 64 * 1024;
/** Payloads up to this size are sent whole: in chunks they would cost a tenth more. */
export const wholeSize = 512 * 1024;
const overhang = 16 * 1024;

/** Bytes to write a payload to, and a view of the same. */
export interface Room {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/** Rooms for payloads of a size that have been sent, and wait to be used again. */
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

// Whoever gives a room back gives it once, and nobody gives one that is not ours.
const lent = new WeakMap<ArrayBufferLike, Lent>();

/**
 * Room for a payload of so many bytes: one that has been sent, if there is one. What is larger than the largest grows in
 * it. A new one takes longer to make than to fill, and lies outside the collector's heap, which comes for them at 32 MB only.
 */
export function takeRoom(size: number): Room {
  const shelf = shelves.find((one) => one.size + overhang >= size) ?? largest;
  const room = shelf.free.pop() ?? newRoom(shelf.size + overhang);
  lent.set(room.bytes.buffer, { room, shelf });
  return room;
}

/** Room for what has outgrown these bytes: the next shelf's where they were taken from one, else twice as much that nobody keeps. */
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

/** Whether bytes lie in a room that is to be given back. */
export function isLent({ buffer }: Uint8Array): boolean {
  return lent.has(buffer);
}

/** Takes back the room of what was sent, and nobody will look at again; one of another origin is left to the collector. */
export function giveBack({ buffer }: Uint8Array): void {
  const taken = lent.get(buffer);
  if (taken === undefined) return;
  lent.delete(buffer);
  const { room, shelf } = taken;
  if (shelf.free.length < shelf.most) shelf.free.push(room);
}
