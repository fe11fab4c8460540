import test from 'ava';
import { fc } from '../support/fast-check.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import type { Json } from '../../runtime/json/json.js';
import { parseJsonObject } from '../../runtime/json/parse-json.js';
import { checkCases } from '../support/cases.js';

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
