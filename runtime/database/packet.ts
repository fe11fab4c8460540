import type { Bind } from '../sql/statement.js';

/** One statement of a packet. */
export interface PacketStatement {
  readonly text: string;
  /** The name of the prepared statement; empty for none. */
  readonly name: string;
  readonly bind: readonly Bind[];
  /** Whether the connection has prepared it. */
  readonly known: boolean;
}

/**
 * Encodes statements and commands, which have neither values nor rows, as messages to the server (PostgreSQL manual,
 * "Message Formats"). One buffer, since every write to a socket is a system call; after a failure the server skips the
 * rest. Prepared statements in `surplus` are closed.
 */
export function packetOf(pieces: readonly (string | PacketStatement)[], surplus: readonly string[]): Buffer {
  if (surplus.length > 0) return Buffer.concat([...surplus.map(closeMessage), packetOf(pieces, [])]);
  const [first] = pieces;
  if (pieces.length === 1 && typeof first === 'object' && first.known) return bindMessage(first.name, first.bind, executeAndSync);
  return Buffer.concat([
    ...pieces.flatMap((piece) => (typeof piece === 'string' ? [commandMessages(piece)] : statementMessages(piece))),
    syncMessage,
  ]);
}

function statementMessages({ text, name, bind, known }: PacketStatement): readonly Buffer[] {
  const run = bindMessage(name, bind, executeMessage);
  if (known) return [run];
  // A failed packet may have prepared the statement, and closing a missing one is no error.
  return [...(name === '' ? [] : [closeMessage(name)]), parseMessage(name, text), run];
}

/** PostgreSQL's text form of an array. */
export function arrayText(value: Exclude<Bind, string | null>): string {
  return `{${value.map((item) => (item === null ? 'NULL' : `"${item.replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`;
}

const headerLength = 5; // a message's type and its length

function message(type: string, body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(headerLength + body.length);
  bytes.write(type, 0, 'latin1');
  bytes.writeInt32BE(body.length + 4, 1);
  body.copy(bytes, headerLength);
  return bytes;
}

// Without parameter types: the SQL casts them.
function parseMessage(name: string, text: string): Buffer {
  return message('P', Buffer.from(`${name}\0${text}\0\0\0`));
}

function closeMessage(name: string): Buffer {
  return message('C', Buffer.from(`S${name}\0`));
}

// The unnamed portal; parameters and results as text. Following messages are written into the same buffer.
function bindMessage(name: string, bind: readonly Bind[], rest: Buffer): Buffer {
  const values: (string | null)[] = [];
  let room = headerLength + 3 * name.length + 8 + rest.length;
  for (const bound of bind) {
    const value = bound === null || typeof bound === 'string' ? bound : arrayText(bound);
    values.push(value);
    // An upper bound: measuring a short text costs more than the unused space.
    room += value === null ? 4 : 4 + (value.length > 1_000 ? Buffer.byteLength(value) : 3 * value.length);
  }
  const bytes = Buffer.allocUnsafe(room);
  bytes[0] = 0x42;
  let at = bytes.writeInt8(0, headerLength);
  at = writeText(bytes, at, name);
  at = bytes.writeInt16BE(0, bytes.writeInt8(0, at));
  at = bytes.writeInt16BE(values.length, at);
  for (const value of values) at = writeValue(bytes, at, value);
  at = bytes.writeInt16BE(0, at);
  bytes.writeInt32BE(at - 1, 1);
  return bytes.subarray(0, at + rest.copy(bytes, at));
}

function writeValue(bytes: Buffer, at: number, value: string | null): number {
  if (value === null) return bytes.writeInt32BE(-1, at);
  const end = writeText(bytes, at + 4, value);
  bytes.writeInt32BE(end - at - 4, at);
  return end;
}

// Most values are short and ASCII, and are written faster here than by a call out of JavaScript.
function writeText(bytes: Buffer, at: number, text: string): number {
  if (text.length > 40) return at + bytes.write(text, at);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) return at + bytes.write(text, at);
    bytes[at + index] = code;
  }
  return at + text.length;
}

const executeMessage = message('E', Buffer.alloc(5));
const syncMessage = message('S', Buffer.alloc(0));
const executeAndSync = Buffer.concat([executeMessage, syncMessage]);

const commands = new Map<string, Buffer>();

// There are few of these, and they recur.
function commandMessages(text: string): Buffer {
  const known = commands.get(text) ?? Buffer.concat([parseMessage('', text), bindMessage('', [], executeMessage)]);
  commands.set(text, known);
  return known;
}
