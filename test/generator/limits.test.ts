import test from 'ava';
import { inputLimits } from '../../generator/csdl/limits.js';
import { readModel } from '../../generator/generate.js';
import { ModelError } from '../../generator/model-error.js';

const open = '<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>';
const close = '</edmx:DataServices></edmx:Edmx>';

function codesAndFirst(bytes: Uint8Array): string {
  try {
    readModel({ path: 'model.xml', bytes });
    return 'none';
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return `${[...new Set(error.diagnostics.map(({ code }) => code))].join(' ')}: ${error.diagnostics[0]?.message}`;
  }
}

const text = (body: string): Uint8Array => new TextEncoder().encode(open + body + close);
const nested = (levels: number): string => '<A>'.repeat(levels) + '</A>'.repeat(levels);
const attributes = (count: number): string => `<A ${Array.from({ length: count }, (_, index) => `a${index}="1"`).join(' ')}/>`;

// Each limit at its value, which passes on to the next check, and one beyond.
const rows: readonly (readonly [string, Uint8Array, RegExp])[] = [
  ['bytes at the limit', new Uint8Array(inputLimits.bytes).fill(32), /CSDL002/],
  ['bytes beyond', new Uint8Array(inputLimits.bytes + 1).fill(32), /more than 16777216 bytes/],
  ['depth at the limit', text(nested(inputLimits.depth - 2)), /CSDL007/],
  ['depth beyond', text(nested(inputLimits.depth - 1)), /more than 64 levels/],
  ['attributes at the limit', text(attributes(inputLimits.attributes)), /CSDL007/],
  ['attributes beyond', text(attributes(inputLimits.attributes + 1)), /more than 64 attributes/],
  ['elements at the limit', text('<A/>'.repeat(inputLimits.elements - 2)), /CSDL007/],
  ['elements beyond', text('<A/>'.repeat(inputLimits.elements - 1)), /more than 200000 elements/],
  ['bytes that are no UTF-8', Uint8Array.from([0x3c, 0xff, 0x3e]), /CSDL001/],
];

for (const [name, bytes, expected] of rows) {
  test(name, (t) => t.regex(codesAndFirst(bytes), expected));
}
