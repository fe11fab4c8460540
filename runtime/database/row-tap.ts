import type { EventEmitter } from 'node:events';
import type { RowBytes } from '../sql/statement.js';
import { borrowBytes } from './reading-socket.js';
import { headerLength, splitMessage } from './split-message.js';

type TakeRow = (row: RowBytes) => void;
type Listener = (chunk: Buffer) => void;

/** Stands between a socket and the driver's parser for as long as the connection lives. */
interface RowTap {
  /** From now on rows go to `onRow` as bytes, until the function that it returns is called. */
  readonly open: (onRow: TakeRow) => () => void;
}

const taps = new WeakMap<EventEmitter, RowTap>();

/** The tap of a socket, put in place at its first use. */
export function tapOf(socket: EventEmitter): RowTap {
  const known = taps.get(socket) ?? putInPlace(socket);
  taps.set(socket, known);
  return known;
}

// Where the driver listens in a way that is not known here, rows go on to it, and it makes text of them.
function putInPlace(socket: EventEmitter): RowTap {
  const [driver, ...others] = socket.listeners('data') as Listener[]; // A stream's listeners take a chunk.
  if (driver === undefined || others.length > 0) return { open: () => () => undefined };
  let onRow: TakeRow | undefined;
  borrowBytes(socket);
  // The driver keeps what it is given. Adding first, so that the stream never stops flowing.
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

// ParseComplete, BindComplete and CloseComplete: what follows them says as much, and to the driver each is a message to take apart.
function isStep(type: number | undefined): boolean {
  return type === 0x31 || type === 0x32 || type === 0x33;
}

// DataRow messages go to the listener, and all others to the driver but those that only tell of a step; whole and in order.
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

// One object for all rows: a page has thousands, and nobody may keep one.
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
      // The pieces that a socket lends are of one buffer, and to make a view takes as long as to read a short row.
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
