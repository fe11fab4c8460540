import test from 'ava';
import '../support/features.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { parseEntityId } from '../../runtime/protocol/entity-id.js';
import { parseResourcePath } from '../../runtime/uri/parse-resource-path.js';

const list = (size: number, item = (index: number): string => `a${index}`): string =>
  Array.from({ length: size }, (_, index) => item(index)).join(',');
const nest = (size: number, open: string, inner: string, close = ')'): string => `${open.repeat(size)}${inner}${close.repeat(size)}`;

/** Query strings of a size: the limit itself is read, one more is refused. */
const cases: readonly (readonly [string, number, (size: number) => string, RegExp])[] = [
  ['options', 64, (size) => list(size).replaceAll(',', '&'), /more than 64 options/],
  ['items of $orderby', 8, (size) => `$orderby=${list(size)}`, /more than 8 items/],
  ['items of $select', 1000, (size) => `$select=${list(size)}`, /more than 1000 items/],
  ['levels of $select', 16, (size) => `$select=${nest(size, 'a($select=', 'a')}`, /more than 16 levels deep/],
  ['items of $compute', 100, (size) => `$compute=${list(size, (index) => `1 as a${index}`)}`, /more than 100 items/],
  ['items of $expand', 20, (size) => `$expand=a($expand=${list(size - 1)})`, /more than 20 items/],
  ['levels of $expand', 3, (size) => `$expand=${nest(size - 1, 'a($expand=', 'a')}`, /more than 3 levels deep/],
  ['options of an item', 64, (size) => `$expand=a(${list(size, (index) => `@a${index}=1`).replaceAll(',', ';')})`, /more than 64 options/],
  ['names of a path in $select', 50, (size) => `$select=${list(size).replaceAll(',', '/')}`, /more than 50 names/],
  ['names of a path in $expand', 50, (size) => `$expand=${list(size).replaceAll(',', '/')}`, /more than 50 names/],
  ['names of a path in $apply', 50, (size) => `$apply=aggregate(${list(size).replaceAll(',', '/')} with max as M)`, /more than 50 names/],
  ['items of an array', 1000, (size) => `@a=[${list(size, () => '1')}]`, /more than 1000 items/],
  ['arrays in arrays', 64, (size) => `@a=${nest(size, '[', '1', ']')}`, /more than 64 levels deep/],
  ['objects in objects', 64, (size) => `@a=${nest(size, '{"a":', '1', '}')}`, /more than 64 levels deep/],
  ['branches of case', 499, (size) => `$filter=case(${list(size, () => 'a:b')})`, /more than 1000 operands/],
  ['parentheses of a search', 64, (size) => `$search=${nest(size, '(', 'a')}`, /more than 64 levels deep/],
  ['negations of a search', 64, (size) => `$search=${'NOT '.repeat(size)}a`, /more than 64 levels deep/],
  ['words of a search', 1000, (size) => `$search=${list(size).replaceAll(',', ' ')}`, /more than 1000 operands/],
  ['transformations in transformations', 64, (size) => `$apply=${nest(size, 'concat(identity,', 'identity')}`, /more than 64 levels deep/],
  ['transformations', 1000, (size) => `$apply=${list(size, () => 'identity').replaceAll(',', '/')}`, /more than 1000 operands/],
];

for (const [what, limit, textOf, message] of cases) {
  test(`${limit} ${what} are read and one more is refused`, (t) => {
    t.notThrows(() => parseQueryOptions(textOf(limit)));
    const error = t.throws(() => parseQueryOptions(textOf(limit + 1)), { instanceOf: ODataError });
    t.regex(error.message, message);
  });
}

test('16 sets of $crossjoin are read and one more is refused', (t) => {
  t.notThrows(() => parseResourcePath(`/$crossjoin(${list(16)})`));
  t.throws(() => parseResourcePath(`/$crossjoin(${list(17)})`), { instanceOf: ODataError, message: /more than 16 entity sets/ });
});

function idOf(length: number): string {
  return `Member('${'x'.repeat(length - "Member('')".length)}')`;
}

test('an id of 4096 characters is read and a longer one is refused', (t) => {
  const base = { root: 'http://localhost/odata', host: undefined, path: '/$entity' };
  t.is(parseEntityId(idOf(4096), base).parts.length, 1);
  t.throws(() => parseEntityId(idOf(4097), base), { instanceOf: ODataError, message: /more than 4096 characters/ });
});

test('50 segments of a path are read and one more is refused', (t) => {
  t.notThrows(() => parseResourcePath('/a'.repeat(50)));
  t.throws(() => parseResourcePath('/a'.repeat(51)), { instanceOf: ODataError, message: /more than 50 segments/ });
});

function keyValues(count: number): string {
  return Array.from({ length: count }, (_, index) => `K${index}=1`).join();
}

test('50 values in the parentheses of a path are read and one more is refused', (t) => {
  t.notThrows(() => parseResourcePath(`/A(${keyValues(50)})`));
  t.throws(() => parseResourcePath(`/A(${keyValues(51)})`), { instanceOf: ODataError, message: /position 3 have more than 50 values/ });
});

for (const [what, query] of [
  ['transformations', `$apply=${'concat('.repeat(50_000)}`],
  ['paths to aggregate', `$apply=aggregate(${'a/'.repeat(50_000)}b)`],
  ['nested aggregates', `$apply=aggregate(${'a('.repeat(50_000)}`],
  ['semicolons in a search', `$expand=a($search=${'a;'.repeat(50_000)})`],
  ['keywords in a search', `$search=${'OR '.repeat(50_000)}`],
  ['parentheses in $select', `$select=${'a($select='.repeat(20_000)}`],
] as const) {
  test(`a long run of ${what} is read in linear time`, (t) => {
    const start = process.cpuUsage();
    try {
      parseQueryOptions(query);
    } catch (error) {
      t.true(error instanceof ODataError);
    }
    t.true(process.cpuUsage(start).user < 1_000_000);
  });
}
