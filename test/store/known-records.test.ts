import test from 'ava';
import { fc } from '../support/fast-check.js';
import { cellText, type RowBytes } from '../../runtime/sql/statement.js';
import { copyOf, withCells } from '../../runtime/store/known-records.js';

const text = fc.string({ unit: 'grapheme', maxLength: 6 });
const cell = fc.option(text);

/** A row, and the values that each update gives some of its cells. The last one is the state, which is never null. */
const updates = fc
  .tuple(fc.array(cell, { maxLength: 12 }), text)
  .map(([cells, state]) => [...cells, state])
  .chain((row) =>
    fc.record({
      row: fc.constant(row),
      updates: fc.array(fc.record({ places: fc.subarray([...row.keys()].slice(0, -1)), values: fc.infiniteStream(cell) }), {
        maxLength: 3,
      }),
    }),
  );

test('an updated row has the new cells and, elsewhere, those from before', (t) => {
  fc.assert(
    fc.property(updates, ({ row, updates: each }) => {
      const expected = [...row];
      let known = copyOf(sent(row));
      for (const { places: some, values } of each) {
        const places = [...some, row.length - 1];
        const changed = [...values.take(some.length), 'state'];
        for (const [index, place] of places.entries()) expected[place] = changed[index] ?? null;
        known = withCells(known, places, sent(changed));
      }
      t.deepEqual(textsOf(known), expected);
      t.true(known.bytes.length <= Buffer.byteLength(expected.join('')) + 4 * row.length, 'replaced cells take no space');
    }),
  );
});

function textsOf(row: RowBytes): readonly (string | null)[] {
  return [...row.starts.keys()].map((index) => cellText(row, index));
}

/** A row within the bytes of a connection: each cell behind its length (PostgreSQL manual, "Message Formats"). */
function sent(cells: readonly (string | null)[]): RowBytes {
  const pieces = [Buffer.from('before')];
  const starts = new Int32Array(cells.length);
  const ends = new Int32Array(cells.length);
  let at = 6;
  for (const [index, text] of cells.entries()) {
    const bytes = Buffer.from(text ?? '');
    pieces.push(Buffer.from('size'), bytes);
    starts[index] = text === null ? -1 : at + 4;
    at += 4 + bytes.length;
    ends[index] = at;
  }
  return { bytes: Buffer.concat([...pieces, Buffer.from('behind')]), starts, ends };
}
