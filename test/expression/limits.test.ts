import test from 'ava';
import '../support/features.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { parseFilter } from '../../runtime/expression/parser.js';

/** Texts of a size: the limit itself is read, one more is refused. */
const cases: readonly (readonly [string, number, (size: number) => string, RegExp])[] = [
  ['parentheses', 64, (size) => `${'('.repeat(size)}x${')'.repeat(size)}`, /more than 64 levels deep/],
  ['signs', 64, (size) => `${'- '.repeat(size)}x`, /more than 64 levels deep/],
  ['functions', 15, (size) => `${'trim('.repeat(size)}x${')'.repeat(size)}`, /Functions .* more than 15 levels deep/],
  ['lambdas', 2, (size) => `${'x/any(x:'.repeat(size)}x${')'.repeat(size)}`, /any and all .* more than 2 levels deep/],
  ['operands and operators', 500, (size) => Array(size).fill('x').join(' and '), /more than 1000 operands/],
  ['list items', 1000, (size) => `x in (${Array(size).fill('1').join()})`, /more than 1000 items/],
  ['names of a path', 50, (size) => Array(size).fill('x').join('/'), /more than 50 names/],
  ['letters of a name', 128, (size) => 'x'.repeat(size), /at most 128 characters/],
];

for (const [what, limit, textOf, message] of cases) {
  test(`${limit} ${what} are read and one more is refused`, (t) => {
    t.notThrows(() => parseFilter(textOf(limit)));
    const error = t.throws(() => parseFilter(textOf(limit + 1)), { instanceOf: ODataError });
    t.regex(error.message, message);
    t.is(error.target, '$filter');
  });
}
