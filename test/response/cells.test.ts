import test from 'ava';
import { container } from '../../generated/index.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import type { Field } from '../../runtime/edm/field.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { keyColumns } from '../../runtime/plan/options/plan-select.js';
import { planKey } from '../../runtime/plan/path/plan-key.js';
import { entityPath } from '../../runtime/response/address.js';
import { ByteWriter } from '../../runtime/response/byte-writer.js';
import { type CellOrigin, cellWriter, plainCell } from '../../runtime/response/cell.js';
import { membersTogether, wordsOf } from '../../runtime/response/member-cells.js';
import type { PayloadFormat } from '../../runtime/response/payload-format.js';
import { parseKey } from '../../runtime/uri/parse-key.js';
import { fc } from '../support/fast-check.js';

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

// No model here has such a key, and the standard allows it.
const { keyGeneration: _, ...property } = container.entityTypes['Property'] as EntityType;
const spans: EntityType = { ...property, name: 'Span', entitySet: 'Spans', key: ['Length'], fields: { Length: { type: 'Edm.Duration' } } };

const cases: { readonly [key: string]: string } = {
  "duration'P1DT2H'": 'P1DT2H',
  "'P1D'": 'P1D',
  "Length=duration'-PT5M'": 'PT-5M',
  "duration'P1M'": '1040',
  "'one day'": '1042',
  "binary'AAAA'": '1042',
};

for (const [key, expected] of Object.entries(cases)) {
  test(`the duration key ${key}`, (t) => t.is(planned(key), expected));
}

test('the address of a record with such a key has the prefix', (t) => {
  const path = entityPath(spans, keyColumns(spans), ['P1DT2H']);
  t.is(path, "Spans(duration'P1DT2H')");
  t.is(planned(path.slice('Spans('.length, -1)), 'P1DT2H');
});

function planned(key: string): string {
  try {
    const conditions = planKey(spans, parseKey(key, 0), { namespace: '', entityTypes: {}, entitySets: {} });
    return conditions === 'none' ? 'none' : conditions.map(({ value }) => value).join();
  } catch (error) {
    if (error instanceof ODataError) return error.code;
    throw error;
  }
}
