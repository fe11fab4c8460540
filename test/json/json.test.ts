import test from 'ava';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { canonicalDecimal, compareDecimal, decimalText, fitsDecimal } from '../../runtime/json/canonical-number.js';
import type { Json } from '../../runtime/json/json.js';
import { parseJsonObject } from '../../runtime/json/parse-json.js';
import { scanArray, scanObject } from '../../runtime/response/scan-json.js';
import { checkCases } from '../support/cases.js';
import { fc } from '../support/fast-check.js';

const read = (text: string): Json => parseJsonObject(new TextEncoder().encode(text));

test('bodies.case', (t) => checkCases(t, 'json/bodies.case', { value: (text) => print(read(text)) }, { mark: true }));

function print(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value.kind === 'number') return value.text;
  if (value.kind === 'array') return `[${value.items.map(print).join(',')}]`;
  return `{${[...value.members].map(([name, member]) => `${JSON.stringify(name)}:${print(member)}`).join(',')}}`;
}

test('what JSON.stringify writes is read as it is', (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (value) => {
      const text = JSON.stringify(value);
      if (/\\u0000|\\ud[89a-f]/i.test(text)) return;
      t.is(print(read(text)), text);
    }),
    { numRuns: 1000 },
  );
});

test('the reader takes nothing that JSON.parse refuses, and throws only ODataError', (t) => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '\\',
    '\\u12',
    '0',
    '1',
    '-',
    '.',
    'e',
    '+',
    'true',
    'null',
    ' ',
    '\n',
    '\u0000',
    '{"a":',
    '{"b":[',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 15 }).map((pieces) => `{"x":${pieces.join('')}`),
      (text) => {
        try {
          read(text);
        } catch (error) {
          t.true(error instanceof ODataError);
          return;
        }
        t.notThrows(() => JSON.parse(text) as unknown, text);
      },
    ),
    { numRuns: 2000 },
  );
});

const refused: readonly (readonly [string, Uint8Array, RegExp])[] = [
  ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d), /not UTF-8/],
  ['a depth of 33', new TextEncoder().encode(`{"a":${'['.repeat(32)}${']'.repeat(32)}}`), /nested more than 32 deep/],
  ['a depth of 100 000', new TextEncoder().encode(`{"a":${'['.repeat(100_000)}`), /nested more than 32 deep/],
  ['1 001 items', new TextEncoder().encode(`{"a":[${'1,'.repeat(1000)}1]}`), /more than 1000 items/],
  [
    '2 001 members',
    new TextEncoder().encode(`{${Array.from({ length: 2001 }, (_, index) => `"m${index}":1`).join()}}`),
    /more than 2000 members/,
  ],
];

for (const [what, bytes, message] of refused) {
  test(`refused: ${what}`, (t) => {
    const error = t.throws(() => parseJsonObject(bytes), { instanceOf: ODataError });
    t.regex(error.message, message);
    t.is(error.code, '1001');
  });
}

test('a byte-order mark, 32 levels, 1 000 items and 2 000 members are read', (t) => {
  t.is(print(parseJsonObject(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d))), '{}');
  const deep = `{"a":${'['.repeat(31)}${']'.repeat(31)}}`;
  t.is(print(read(deep)), deep);
  const wide = `{"a":[${'1,'.repeat(999)}1]}`;
  t.is(print(read(wide)), wide);
  const many = `{${Array.from({ length: 2000 }, (_, index) => `"m${index}":1`).join()}}`;
  t.is(print(read(many)), many);
});

const shown = (text: string): string => {
  const decimal = canonicalDecimal(text);
  if (decimal === undefined) return 'none';
  const written = decimalText(decimal);
  return `${decimal.negative ? '-' : ''}${decimal.digits} scale ${decimal.scale}: ${written.length > 60 ? `${written.length} characters` : written}`;
};

test('numbers.case', (t) =>
  checkCases(t, 'json/numbers.case', {
    number: shown,
    fits: (text) =>
      [
        [5, 2],
        [3, 0],
        [18, 4],
      ]
        .filter(([precision = 0, scale = 0]) => fitsDecimal(text, precision, scale))
        .map(String)
        .join(' ') || 'none of them',
  }));

test('comparison agrees with whole numbers of any size', (t) => {
  const value = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(20));
  fc.assert(
    fc.property(value, value, ([a, aScale], [b, bScale]) => {
      const left = a * 10n ** BigInt(20 - aScale);
      const right = b * 10n ** BigInt(20 - bScale);
      const expected = left < right ? -1 : left > right ? 1 : 0;
      t.is(compareDecimal(`${a}e-${aScale}`, `${b}e-${bScale}`), expected);
    }),
  );
});

test('what is written out is the same number', (t) => {
  const text = fc.stringMatching(/^-?\d{1,20}(\.\d{1,20})?([eE][-+]?\d{1,2})?$/);
  fc.assert(
    fc.property(text, (each) => {
      const decimal = canonicalDecimal(each);
      t.truthy(decimal);
      if (decimal) t.deepEqual(canonicalDecimal(decimalText(decimal)), decimal);
    }),
  );
  t.is(compareDecimal('x', '1'), undefined);
});

const misshapen = { message: /does not match the model/ };

for (const text of ['{"X":{"Y":1}}', '1', '"a"', '[1}']) {
  test(`what is no array is refused, and ends: ${text}`, (t) => {
    t.throws(() => scanArray(Buffer.from(text), 0, () => undefined), misshapen);
  });
}

for (const text of ['[{"X":1}]', '[]', '"a"', '{"a"]']) {
  test(`what is no object is refused, and ends: ${text}`, (t) => {
    t.throws(() => scanObject(Buffer.from(text), 0), misshapen);
  });
}
