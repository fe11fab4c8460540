import type { EventEmitter } from 'node:events';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { RowBytes } from '../sql/statement.js';
import { memoized } from '../edm/memoized.js';

const lending = new WeakSet<EventEmitter>();

/**
 * A socket that reads into one buffer, where Node would allocate 64 kB for every read: they are outside of the heap,
 * and are collected only when there are 32 MB.
 */
export function openSocket(): Socket {
  // Node's documentation lists it among the constructor's options too.
  const options: SocketConstructorOpts & ConnectOpts = {
    onread: { buffer: Buffer.allocUnsafeSlow(64 * 1024), callback: (length, bytes) => give(bytes, length) },
  };
  const socket = new Socket(options);
  const give = (bytes: Uint8Array, length: number): boolean => {
    const lent = Buffer.from(bytes.buffer, bytes.byteOffset, length);
    socket.emit('data', lending.has(socket) ? lent : Buffer.from(lent));
    return true;
  };
  return socket;
}

/** Marks the bytes of such a socket as borrowed: listeners must copy the parts that they keep. */
function borrowBytes(socket: EventEmitter): void {
  lending.add(socket);
}

type TakeRow = (row: RowBytes) => void;
type Listener = (chunk: Buffer) => void;

/** A filter between a socket and the driver's parser, for the lifetime of the connection. */
interface RowTap {
  /** Passes rows to `onRow` as bytes until the returned function is called. */
  readonly open: (onRow: TakeRow) => () => void;
}

/** The tap of a socket, installed at first use. */
export const tapOf = memoized(putInPlace);

function putInPlace(socket: EventEmitter): RowTap {
  const [driver, ...others] = socket.listeners('data') as Listener[]; // A stream's listeners take a chunk.
  if (driver === undefined || others.length > 0) throw new Error("The connection to the database has other listeners than the driver's.");
  let onRow: TakeRow | undefined;
  borrowBytes(socket);
  // The driver keeps its input. The new listener is added first, so that the stream never stops flowing.
  socket.on(
    'data',
    createTap(
      (bytes) => driver(Buffer.from(bytes)),
      () => onRow,
    ),
  );
  socket.off('data', driver);
  return {
    open: (listener) => {
      onRow = listener;
      return () => (onRow = undefined);
    },
  };
}

const dataRow = 68; // 'D' (PostgreSQL manual, "Message Formats")

// ParseComplete, BindComplete and CloseComplete are skipped: the following messages imply them, and each costs the driver time.
function isStep(type: number | undefined): boolean {
  return type === 0x31 || type === 0x32 || type === 0x33;
}

// Passes DataRow messages to the listener, and others to the driver, whole and in order; completion messages are skipped.
function createTap(driver: Listener, listener: () => TakeRow | undefined): Listener {
  const read = rowReader();
  const split = splitMessage();
  return (chunk) => {
    if (listener() === undefined) {
      split.release().forEach(driver);
      return driver(chunk);
    }
    const { message, end: begin } = split.complete(chunk);
    if (message !== undefined && message[0] === dataRow) listener()?.(read(message, headerLength));
    else if (message !== undefined && !isStep(message[0])) driver(message);
    let at = begin;
    let forDriver = begin;
    while (at + headerLength <= chunk.length) {
      const end = at + 1 + chunk.readUInt32BE(at + 1);
      if (end > chunk.length) break;
      const type = chunk[at];
      if (type === dataRow || isStep(type)) {
        if (forDriver < at) driver(chunk.subarray(forDriver, at));
        if (type === dataRow) listener()?.(read(chunk, at + headerLength));
        forDriver = end;
      }
      at = end;
    }
    if (at < chunk.length) split.hold(chunk.subarray(at));
    if (forDriver < at) driver(chunk.subarray(forDriver, at));
  };
}

// One object for all rows of a page; it must not be kept.
function rowReader(): (bytes: Buffer, from: number) => RowBytes {
  const row: { bytes: Buffer; starts: Int32Array; ends: Int32Array } = {
    bytes: Buffer.alloc(0),
    starts: new Int32Array(0),
    ends: new Int32Array(0),
  };
  let view = new DataView(row.bytes.buffer);
  let offset = 0;
  return (bytes, from) => {
    if (bytes !== row.bytes) {
      // Chunks of a socket share a buffer, and creating a view takes as long as reading a short row.
      if (bytes.buffer !== view.buffer) view = new DataView(bytes.buffer);
      offset = bytes.byteOffset;
    }
    const count = view.getUint16(offset + from);
    if (row.starts.length !== count) Object.assign(row, { starts: new Int32Array(count), ends: new Int32Array(count) });
    row.bytes = bytes;
    let at = from + 2;
    for (let index = 0; index < count; index++) {
      const length = view.getInt32(offset + at);
      at += 4;
      row.starts[index] = length < 0 ? -1 : at;
      if (length > 0) at += length;
      row.ends[index] = at;
    }
    return row;
  };
}

/** The type and the length of a message (PostgreSQL manual, "Message Formats"). */
const headerLength = 5;

/** A message that spans two chunks of a socket or more. */
interface SplitMessage {
  /** Stores a copy of an incomplete message at the end of a chunk. */
  readonly hold: (piece: Buffer) => void;
  /** The message, if the chunk completes it, and the offset after it. */
  readonly complete: (chunk: Buffer) => { readonly message?: Buffer; readonly end: number };
  /** Returns the stored bytes. */
  readonly release: () => readonly Buffer[];
}

/** Joins only the split message: joining whole chunks would copy every byte of a page. */
function splitMessage(): SplitMessage {
  let pieces: Buffer[] = [];
  let held = 0;
  const hold = (piece: Buffer): void => {
    pieces.push(Buffer.from(piece));
    held += piece.length;
  };
  const release = (): readonly Buffer[] => {
    const released = pieces;
    pieces = [];
    held = 0;
    return released;
  };
  return {
    hold,
    release,
    complete: (chunk) => {
      if (held === 0) return { end: 0 };
      const begin = Math.max(0, Math.min(headerLength - held, chunk.length));
      if (begin > 0) hold(chunk.subarray(0, begin));
      if (held < headerLength) return { end: chunk.length };
      const end = begin + messageLength(pieces) - held;
      if (end <= chunk.length) return { message: Buffer.concat([...release(), chunk.subarray(begin, end)]), end };
      hold(chunk.subarray(begin));
      return { end: chunk.length };
    },
  };
}

// The length includes itself, but not the type.
function messageLength(pieces: readonly Buffer[]): number {
  const [first] = pieces;
  const header = first !== undefined && first.length >= headerLength ? first : Buffer.concat(pieces);
  return 1 + header.readUInt32BE(1);
}
