import { Readable } from 'node:stream';
import test from 'ava';
import { wholeResponse } from '../../runtime/protocol/message.js';
import { ByteWriter, chunkSize, giveBack, isLent, takeRoom, wholeSize } from '../../runtime/response/byte-writer.js';

const takeWhole = (): Buffer => takeRoom(wholeSize).bytes;

test('a room whose payload was sent is used again, by what is of its size', (t) => {
  const [small, chunk, whole] = [takeRoom(1_000).bytes, takeRoom(chunkSize).bytes, takeWhole()];
  t.true(small.length < chunkSize && chunk.length > chunkSize && chunk.length < wholeSize && whole.length > wholeSize);
  for (const taken of [small, chunk, whole]) giveBack(taken.subarray(0, 10));
  t.is(takeWhole().buffer, whole.buffer);
  t.is(takeRoom(chunkSize).bytes.buffer, chunk.buffer);
  t.is(takeRoom(10).bytes.buffer, small.buffer);
});

test('what is larger than the largest begins in one of these', (t) => {
  t.is(takeRoom(10 * wholeSize).bytes.length, takeWhole().length);
});

test('a view is of the same bytes', (t) => {
  const { bytes, view } = takeRoom(100);
  view.setUint8(7, 42);
  t.is(bytes[7], 42);
});

test('one that is given back twice is used once', (t) => {
  const whole = takeWhole();
  giveBack(whole);
  giveBack(whole);
  t.not(takeWhole().buffer, takeWhole().buffer);
});

test("bytes of another origin are nobody's to give", (t) => {
  const foreign = Buffer.allocUnsafeSlow(takeWhole().length);
  t.false(isLent(foreign));
  giveBack(foreign);
  t.not(takeWhole().buffer, foreign.buffer);
});

test('more than a few are left to the collector', (t) => {
  const many = Array.from({ length: 20 }, takeWhole);
  many.forEach(giveBack);
  const again = Array.from({ length: 20 }, takeWhole);
  t.is(again.filter(({ buffer }) => many.some((one) => one.buffer === buffer)).length, 16);
});

test('a payload that outgrows its room goes on in the next one, and its own is free again', (t) => {
  const first = takeRoom(100);
  const out = new ByteWriter(first.bytes, first.view);
  out.text('begun');
  out.ensure(first.bytes.length);
  t.true(isLent(out.bytes) && out.bytes.length > chunkSize && out.bytes.length < wholeSize);
  t.is(out.finished().toString(), 'begun');
  t.is(takeRoom(100).bytes.buffer, first.bytes.buffer);
  out.ensure(4 * wholeSize);
  t.false(isLent(out.bytes));
  t.is(out.finished().toString(), 'begun');
  out.view.setUint8(0, 0x42);
  t.is(out.finished().toString(), 'Begun');
});

test('the answer to a request of a batch has memory of its own, and its buffer is free again', async (t) => {
  const { bytes } = takeRoom(100);
  const end = bytes.write('{"City":"Guelph"}');
  const { body } = await wholeResponse({ status: 200, headers: {}, body: bytes.subarray(0, end) });
  t.is(takeRoom(100).bytes.buffer, bytes.buffer);
  bytes.fill(0);
  t.is(String(body), '{"City":"Guelph"}');
});

test('the chunks of a streamed answer to a request of a batch are free again', async (t) => {
  const chunks = [takeRoom(chunkSize).bytes, takeRoom(chunkSize).bytes].map((bytes, index) =>
    bytes.subarray(0, bytes.write(`part ${index} `)),
  );
  const { body } = await wholeResponse({ status: 200, headers: {}, body: Readable.from(chunks, { objectMode: true }) });
  t.is(String(body), 'part 0 part 1 ');
  t.true(chunks.every((chunk) => !isLent(chunk)));
});
