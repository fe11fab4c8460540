import test from 'ava';
import { fc } from '../support/fast-check.js';
import { byteRange, rangePermitted } from '../../runtime/features/media-streams/read-stream.js';

// The bytes of a range by RFC 9110, 14.1.2; undefined where the answer is complete.
function asked(from: number | undefined, to: number | undefined, length: number): readonly number[] | undefined {
  const all = Array.from({ length }, (_, index) => index);
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined) return all.slice(Math.max(0, length - (to ?? 0)));
  if (to !== undefined && to < from) return undefined;
  return all.filter((index) => index >= from && (to === undefined || index <= to));
}

const offset = fc.option(fc.nat({ max: 40 }), { nil: undefined });

test('a range is exactly the bytes that it asks for', (t) => {
  fc.assert(
    fc.property(offset, offset, fc.nat({ max: 30 }), (from, to, length) => {
      const bytes = asked(from, to, length);
      const range = byteRange(`bytes=${from ?? ''}-${to ?? ''}`, length);
      if (bytes === undefined) return range.kind === 'whole';
      if (bytes.length === 0) return range.kind === 'unsatisfiable';
      return range.kind === 'part' && range.first === bytes[0] && range.last === bytes.at(-1);
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

test('no header makes another range than one within the bytes', (t) => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `bytes=${text}`),
      ),
      fc.nat({ max: 30 }),
      (header, length) => {
        const range = byteRange(header, length);
        return range.kind !== 'part' || (range.first >= 0 && range.first <= range.last && range.last < length);
      },
    ),
    { numRuns: 2000 },
  );
  t.deepEqual(byteRange('items=0-1', 10), { kind: 'whole' });
  t.deepEqual(byteRange('bytes=0-1,3-4', 10), { kind: 'whole' });
  t.deepEqual(byteRange(undefined, 10), { kind: 'whole' });
  t.deepEqual(byteRange(`bytes=0-${'9'.repeat(40)}`, 10), { kind: 'part', first: 0, last: 9 });
});

test('If-Range is met by the strong ETag alone', (t) => {
  t.true(rangePermitted(undefined, '"a"'));
  t.true(rangePermitted('"a"', '"a"'));
  t.false(rangePermitted('W/"a"', '"a"'));
  t.false(rangePermitted('Sun, 06 Nov 1994 08:49:37 GMT', '"a"'));
});
