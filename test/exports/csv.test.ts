import { fc } from '../support/fast-check.js';
import test from 'ava';
import { csvHeader, csvRow, otherColumn } from '../../runtime/features/exports/export-format.js';

// oxfmt-ignore
const rows: readonly { readonly json: string; readonly columns?: readonly string[]; readonly expected: string }[] = [
  { json: '{"a":1.50,"b":-0,"c":12345678901234567890.10}', expected: '1.50,-0,12345678901234567890.10' },
  { json: '{"a":null,"b":"","c":false}', expected: ',"",false' },
  { json: '{"a":"x,y","b":"say \\"hi\\"","c":"two\\nlines"}', expected: '"x,y","say ""hi""","two\nlines"' },
  { json: '{"a":" x","b":"ä\\u00e4","c":[1,{"d":"e,f"}]}', expected: '" x",ää,"[1,{""d"":""e,f""}]"' },
  { json: '{"b":2,"z":3,"y":"t"}', columns: ['a', 'b', otherColumn], expected: ',2,"{""z"":3,""y"":""t""}"' },
  { json: '{"a":1}', columns: ['a', otherColumn], expected: '1,' },
  { json: '{"constructor":1}', columns: ['constructor', 'toString'], expected: '1,' },
];

for (const { json, columns = ['a', 'b', 'c'], expected } of rows)
  test(`${json} as ${columns.join()}`, (t) => {
    const page = Buffer.from(`[${json}]`);
    t.is(csvRow(page, 1, page.length - 1, columns), `${expected}\r\n`);
  });

test('every text can be read back', (t) => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 });
  const property = fc.property(
    fc.uniqueArray(text, { minLength: 1, maxLength: 6 }),
    fc.array(text, { minLength: 6, maxLength: 6 }),
    (names, values) => {
      const page = Buffer.from(JSON.stringify(Object.fromEntries(names.map((name, index) => [`k${name}`, values[index]]))));
      const columns = names.map((name) => `k${name}`);
      const read = parseCsv(csvHeader(columns) + csvRow(page, 0, page.length, columns));
      t.deepEqual(read, [columns, columns.map((_, index) => values[index])]);
    },
  );
  fc.assert(property, { numRuns: 300 });
});

// RFC 4180, with line breaks within quotes.
function parseCsv(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}
