import test from 'ava';
import { fc } from '../support/fast-check.js';
import type { Field } from '../../runtime/edm/field.js';
import { ByteWriter } from '../../runtime/response/byte-writer.js';
import { cellWriter, plainCell, type CellOrigin } from '../../runtime/response/cell.js';
import { membersTogether, wordsOf } from '../../runtime/response/member-cells.js';
import type { PayloadFormat } from '../../runtime/response/payload-format.js';

const format: PayloadFormat = { metadata: 'minimal', ieee754Compatible: false, streaming: false, version: '4.01' };
const string: Field = { type: 'Edm.String' };
const strings: Field = { type: 'Edm.String', collection: true };

// NUL is in no text of PostgreSQL's.
const character = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...'ab ,{}é漢😀') },
  { weight: 1, arbitrary: fc.constantFrom(...'"\\\b\t\n\f\r\u0001\u001f\u007f\u2028') },
);
const text = fc.string({ unit: character, maxLength: 200 });

test('texts and collections of them are the JSON of what the database holds', (t) => {
  const values = fc.array(
    fc.oneof(
      fc.constant(null),
      text,
      fc.array(fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: fc.constant('NULL') }), { maxLength: 30 }),
    ),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(values, fc.constantFrom<CellOrigin>('column', 'json'), (record, origin) => {
      t.deepEqual(written(record, origin), record);
    }),
    { numRuns: 2_000 },
  );
});

type Value = string | readonly string[] | null;

// Members in sequence, as in an object, in a buffer that is too small at first.
function written(record: readonly Value[], origin: CellOrigin): readonly unknown[] {
  const cells = cellsOf(
    record.map((value) => (value === null ? null : within(origin, typeof value === 'string' ? value : arrayLiteral(value)))),
  );
  const members = record.map((value, at) => {
    const field = typeof value === 'string' ? string : strings;
    return {
      at,
      before: wordsOf(`,"${at}":`),
      nothing: wordsOf('null'),
      plain: plainCell(field, format, origin),
      write: cellWriter(field, format, origin),
    };
  });
  const out = new ByteWriter(Buffer.alloc(1));
  membersTogether(members)(out, cells);
  return Object.values(JSON.parse(`{${out.finished().toString('utf8').slice(1)}}`) as object);
}

function cellsOf(texts: readonly (string | null)[]): { bytes: Buffer; starts: Int32Array; ends: Int32Array } {
  const ends = texts.map((_, index) => Buffer.byteLength(texts.slice(0, index + 1).join('')));
  const starts = texts.map((cell, index) => (cell === null ? -1 : (ends[index - 1] ?? 0)));
  return { bytes: Buffer.from(texts.join('')), starts: Int32Array.from(starts), ends: Int32Array.from(ends) };
}

function within(origin: CellOrigin, cell: string): string {
  return origin === 'column' ? cell : JSON.stringify(cell).slice(1, -1);
}

// Items that PostgreSQL leaves without quotes (manual 8.15.6).
function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => (element !== '' && element !== 'NULL' && !/[{}",\\\s]/.test(element) ? element : `"${element.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`;
}
