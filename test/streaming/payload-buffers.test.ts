import test from 'ava';
import { chunkSize, giveBuffer, isLent, takeChunkBuffer, takeWholeBuffer, wholeSize } from '../../runtime/response/payload-buffers.js';

test('a buffer that was sent is used again, by what is of its size', (t) => {
  const [chunk, whole] = [takeChunkBuffer(), takeWholeBuffer()];
  t.true(chunk.length > chunkSize && chunk.length < wholeSize && whole.length > wholeSize);
  giveBuffer(chunk.subarray(0, 10));
  giveBuffer(whole.subarray(0, 10));
  t.is(takeWholeBuffer().buffer, whole.buffer);
  t.is(takeChunkBuffer().buffer, chunk.buffer);
});

test('one that is given back twice is used once', (t) => {
  const whole = takeWholeBuffer();
  giveBuffer(whole);
  giveBuffer(whole);
  t.not(takeWholeBuffer().buffer, takeWholeBuffer().buffer);
});

test('bytes of another origin are nobody\'s to give', (t) => {
  const foreign = Buffer.allocUnsafeSlow(takeWholeBuffer().length);
  t.false(isLent(foreign));
  giveBuffer(foreign);
  t.not(takeWholeBuffer().buffer, foreign.buffer);
});

test('more than a few are left to the collector', (t) => {
  const many = Array.from({ length: 20 }, () => takeWholeBuffer());
  many.forEach(giveBuffer);
  const again = Array.from({ length: 20 }, () => takeWholeBuffer());
  t.is(again.filter(({ buffer }) => many.some((one) => one.buffer === buffer)).length, 16);
});
