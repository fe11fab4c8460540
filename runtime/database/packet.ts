import type { Bind } from '../sql/statement.js';

/** One statement of a packet. */
export interface PacketStatement {
  readonly text: string;
  /** The name that it is prepared under; empty for none. */
  readonly name: string;
  readonly bind: readonly Bind[];
  /** Whether the connection has prepared it already. */
  readonly known: boolean;
}

/**
 * The messages of statements on their way to the server, and of commands, which have neither values nor rows
 * (PostgreSQL manual, "Message Formats"). All as one piece, since every write to a socket is a call of the system; where
 * one fails, the server passes over what comes behind it.
 */
export function packetOf(pieces: readonly (string | PacketStatement)[]): Buffer {
  return Buffer.concat([...pieces.flatMap((piece) => (typeof piece === 'string' ? [commandMessages(piece)] : statementMessages(piece))), syncMessage]);
}

function statementMessages({ text, name, bind, known }: PacketStatement): readonly Buffer[] {
  const run = [bindMessage(name, bind), executeMessage];
  if (known) return run;
  // A packet that failed may have prepared it all the same, and it is no error to close what is not there.
  return [...(name === '' ? [] : [closeMessage(name)]), parseMessage(name, text), ...run];
}

/** A bind in PostgreSQL's text form; an array becomes an array literal. */
function bindText(value: Bind): string | null {
  if (value === null || typeof value === 'string') return value;
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

// Without types of its parameters, which the text casts.
function parseMessage(name: string, text: string): Buffer {
  return message('P', Buffer.from(`${name}\0${text}\0\0\0`));
}

function closeMessage(name: string): Buffer {
  return message('C', Buffer.from(`S${name}\0`));
}

// The unnamed portal; parameters and results as text.
function bindMessage(name: string, bind: readonly Bind[]): Buffer {
  const values = bind.map((value) => bindText(value));
  const nameLength = Buffer.byteLength(name);
  const size = values.reduce((sum, value) => sum + 4 + (value === null ? 0 : Buffer.byteLength(value)), nameLength + 8);
  const bytes = Buffer.allocUnsafe(headerLength + size);
  bytes[0] = 0x42;
  bytes.writeInt32BE(size + 4, 1);
  let at = bytes.writeInt8(0, headerLength);
  at += bytes.write(name, at);
  at = bytes.writeInt16BE(0, bytes.writeInt8(0, at));
  at = bytes.writeInt16BE(values.length, at);
  for (const value of values) at = writeValue(bytes, at, value);
  bytes.writeInt16BE(0, at);
  return bytes;
}

function writeValue(bytes: Buffer, at: number, value: string | null): number {
  if (value === null) return bytes.writeInt32BE(-1, at);
  const length = bytes.write(value, at + 4);
  bytes.writeInt32BE(length, at);
  return at + 4 + length;
}

const executeMessage = message('E', Buffer.alloc(5));
const syncMessage = message('S', Buffer.alloc(0));

const commands = new Map<string, Buffer>();

// These are few, and the same every time.
function commandMessages(text: string): Buffer {
  const known = commands.get(text) ?? Buffer.concat([parseMessage('', text), bindMessage('', []), executeMessage]);
  commands.set(text, known);
  return known;
}
