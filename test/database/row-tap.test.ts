import { EventEmitter } from 'node:events';
import test from 'ava';
import { fc } from '../support/fast-check.js';
import { tapOf } from '../../runtime/database/row-tap.js';
import { cellText } from '../../runtime/sql/statement.js';

type Message = { readonly row: readonly (string | null)[] } | { readonly other: string } | { readonly step: string };

const cell = fc.option(fc.string({ unit: 'binary', maxLength: 12 }), { nil: null });
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ row: fc.array(cell, { maxLength: 5 }) }),
  fc.record({ other: fc.string({ maxLength: 8 }) }),
  fc.record({ step: fc.constantFrom('1', '2', '3') }),
);

test('whatever the pieces are that messages come in, rows go one way, what tells of a step none, and all others the other', (t) => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), fc.array(fc.nat(40), { maxLength: 12 }), (messages, cuts) => {
      const { rows, others } = receive(Buffer.concat(messages.map(encode)), cuts, true);
      t.deepEqual(
        rows,
        messages.flatMap((one) => ('row' in one ? [one.row] : [])),
      );
      t.deepEqual(others, Buffer.concat(messages.filter((one) => 'other' in one).map(encode)));
    }),
    { numRuns: 500 },
  );
});

test('a closed tap lets everything through', (t) => {
  const bytes = Buffer.concat([encode({ row: ['a'] }), encode({ other: 'b' })]);
  const { rows, others } = receive(bytes, [3, 4], false);
  t.deepEqual([rows, others], [[], bytes]);
});

test('a socket with listeners that are not known is refused', (t) => {
  const socket = new EventEmitter();
  socket.on('data', () => undefined);
  socket.on('data', () => undefined);
  t.throws(() => tapOf(socket), { message: "The connection to the database has other listeners than the driver's." });
});

function receive(bytes: Buffer, cuts: readonly number[], open: boolean): { rows: (string | null)[][]; others: Buffer } {
  const socket = new EventEmitter();
  const rows: (string | null)[][] = [];
  const others: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => others.push(Buffer.from(chunk)));
  const close = tapOf(socket).open((row) => rows.push(Array.from(row.starts, (_, index) => cellText(row, index))));
  if (!open) close();
  for (const chunk of pieces(bytes, cuts)) socket.emit('data', chunk);
  return { rows, others: Buffer.concat(others) };
}

function pieces(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  let at = 0;
  const cut = cuts.map((length) => bytes.subarray(at, (at += length)));
  return [...cut, bytes.subarray(at)];
}

// A type, a length that counts itself, and the content (PostgreSQL manual, "Message Formats").
function encode(one: Message): Buffer {
  if ('step' in one) return framed(one.step, Buffer.alloc(0));
  return 'other' in one
    ? framed('X', Buffer.from(one.other))
    : framed('D', Buffer.concat([int16(one.row.length), ...one.row.map(encodeCell)]));
}

function framed(type: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(content.length + 4), content]);
}

function encodeCell(text: string | null): Buffer {
  return text === null ? int32(-1) : Buffer.concat([int32(Buffer.byteLength(text)), Buffer.from(text)]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
