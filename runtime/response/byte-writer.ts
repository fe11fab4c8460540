import type { RowBytes } from '../sql/statement.js';

/** A DataView of a buffer, whose multi-byte accesses take a fraction of the time of Buffer's. */
export function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Collects the bytes of a payload; grows as needed, without intermediate strings. */
export class ByteWriter {
  bytes: Buffer;
  /** A view of the same bytes, for writing several at a time. */
  view: DataView;
  length = 0;

  constructor(bytes: Buffer, view = viewOf(bytes)) {
    this.bytes = bytes;
    this.view = view;
  }

  /** Reserves that many more bytes; `bytes` may be another buffer afterwards. */
  ensure(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const before = this.bytes;
    const { bytes, view } = takeLarger(before, this.length + count);
    before.copy(bytes, 0, 0, this.length);
    this.bytes = bytes;
    this.view = view;
    giveBack(before);
  }

  text(text: string): void {
    this.ensure(text.length * 3);
    this.length += this.bytes.write(text, this.length, 'utf8');
  }

  byte(byte: number): void {
    this.ensure(1);
    this.bytes[this.length++] = byte;
  }

  /** Short runs are copied here: a native call costs more. */
  copy(source: Buffer, start: number, end: number): void {
    const count = end - start;
    this.ensure(count);
    const target = this.bytes;
    let to = this.length;
    if (count > 40) source.copy(target, to, start, end);
    else for (let from = start; from < end; from++) target[to++] = source[from] as number; // The caller gives valid bounds.
    this.length += count;
  }

  /** Hands over the written bytes, and continues in another buffer. */
  continueIn({ bytes, view }: Room): Buffer {
    const taken = this.finished();
    this.bytes = bytes;
    this.view = view;
    this.length = 0;
    return taken;
  }

  /** All written bytes. */
  finished(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

/** Begins an object: the comma in front of its first member makes room for the brace. Returns where it begins. */
export function beginObject(out: ByteWriter): number {
  out.ensure(2);
  return out.length;
}

/** Ends the object that begins there. */
export function endObject(out: ByteWriter, from: number): void {
  if (out.length === from) out.byte(0x7b);
  else out.bytes[from] = 0x7b;
  out.byte(0x7d);
}

/** Opens writers for similar payloads, sized by the previous ones: growing means copying. */
interface AlikeWriters {
  readonly open: () => ByteWriter;
  /** Records the size of a complete payload. */
  readonly note: (out: ByteWriter) => void;
}

/** The writers for one plan's payloads. */
export function alikeWriters(): AlikeWriters {
  let expected = 4096;
  return {
    open: () => {
      const { bytes, view } = takeRoom(expected);
      return new ByteWriter(bytes, view);
    },
    // With some margin; the size of an outlier decays.
    note: ({ length }) => void (expected = Math.max(Math.ceil(length * 1.1), Math.floor(expected * 0.9))),
  };
}

/** Writes one row of a statement as an object. */
export type RowWriter = (out: ByteWriter, row: RowBytes) => void;

/** The size of a chunk, with space for the row that exceeds it. */
export const chunkSize = 256 * 1024;
/** The largest payload that is sent as a whole: chunks would cost a tenth more. */
export const wholeSize = 512 * 1024;
const overhang = 16 * 1024;

/** A buffer for a payload, with a view of it. */
interface Room {
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

// A buffer is returned once, and only one of the pool.
const lent = new WeakMap<ArrayBufferLike, { readonly room: Room; readonly shelf: Shelf }>();

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
function takeLarger({ buffer, length }: Buffer, size: number): Room {
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
