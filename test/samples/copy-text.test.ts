import test from 'ava';
import type { CopyValue } from '../../runtime/database/copy.js';
import { copyCell } from '../../runtime/database/copy.js';

const cases: readonly (readonly [cell: CopyValue, text: string])[] = [
  [null, '\\N'],
  [true, 't'],
  [false, 'f'],
  [12, '12'],
  ['', ''],
  ["O'Connor – Montréal", "O'Connor – Montréal"],
  // The text that looks like null must not become it.
  ['\\N', '\\\\N'],
  ['a\tb\nc\rd', 'a\\tb\\nc\\rd'],
  ['C:\\temp', 'C:\\\\temp'],
  [[], '{}'],
  [['Brick', 'Wood, painted', 'NULL', ''], '{"Brick","Wood, painted","NULL",""}'],
  [['a "b"', 'back\\slash', 'line\nend'], '{"a \\\\"b\\\\"","back\\\\\\\\slash","line\\nend"}'],
];

for (const [cell, text] of cases) {
  test(`COPY writes ${JSON.stringify(cell)}`, (t) => {
    t.is(copyCell(cell), text);
  });
}
