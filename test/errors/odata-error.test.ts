import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { errors } from '../../runtime/errors/catalogue.js';
import { located, ODataError, renderError } from '../../runtime/errors/odata-error.js';
import { pointerOf } from '../../runtime/json/place-in.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { positioned } from '../../runtime/uri/position.js';
import '../support/features.js';

const long = 'x'.repeat(64_000);

test('names and values that are too long for a model are cut in every text of an error', (t) => {
  const detail = errors.unknownBodyProperty(long, 'Property', '').at(long).asDetail();
  const body = renderError(errors.unknownName('a b '.repeat(16_000), 'Property', '').at(long).with([detail, detail]), { requestId: 'id' });
  t.true(body.length < 4_000, String(body.length));
  t.true(body.includes(`Property has no property ${'x'.repeat(256)}...`));
  t.true(body.includes('Property has no a b a b '));
});

test('names of the longest kind stay as they are, and no character is cut in half', (t) => {
  const longestOfModel = 'N'.repeat(128);
  t.true(
    renderError(errors.unknownName(`${longestOfModel}/${longestOfModel}`.slice(0, 256), 'Property', ''), { requestId: 'id' }).includes(
      'NN.',
    ),
  );
  t.false(/\\ud83d(?!\\)/i.test(renderError(errors.unknownName('😀'.repeat(2_000), 'Property', ''), { requestId: 'id' })));
});

test('an error for a resource without methods does not announce a list of them', (t) => {
  t.is(errors.methodNotAllowed('POST', '').message, 'POST is not supported here; no method is.');
  t.is(errors.methodNotAllowed('POST', 'GET, HEAD').message, 'POST is not supported here; the supported methods are: GET, HEAD.');
});

// Every response of the exchanges that has a position, in all folders of tests.
const answers = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.http'))
  .flatMap((name) => readFileSync(join('test', name), 'utf8').split('\n'))
  .filter((line) => line.includes('{"error"'))
  .flatMap((line) => {
    const [, message = '', position] = /"message":"((?:[^"\\]|\\.)*)".*"innererror":\{.*?"position":(\{.*?\})/.exec(line) ?? [];
    return position === undefined ? [] : [{ said: / position (\d+)/.exec(message)?.[1], at: (JSON.parse(position) as { at: number }).at }];
  });

test('a position in a message is the position as data', (t) => {
  const both = answers.filter(({ said }) => said !== undefined);
  t.true(both.length > 200, `${both.length} of ${answers.length}`);
  const different = both.filter(({ said, at }) => Number(said) !== at);
  t.deepEqual(different, []);
});

/** The position of an error that parsing, or planning of the node, throws. */
function positionOf(query: string, plan: (options: ReturnType<typeof parseQueryOptions>['options']) => unknown = () => undefined): unknown {
  const request = { path: '/Property', query };
  try {
    const { options } = parseQueryOptions(query);
    Object.assign(request, { options });
    plan(options);
    return undefined;
  } catch (error) {
    return (positioned(error, request) as ODataError).position;
  }
}

test('a syntax error covers its token, counted in the decoded text', (t) => {
  t.deepEqual(positionOf(`$filter=City%20eq%20'%F0%9F%8F%A0'%20foo%201`), { option: '$filter', at: 14, length: 3 });
  t.deepEqual(positionOf('$top=5&filter=City%20eq'), { option: '$filter', at: 8, length: 0 });
  t.deepEqual(positionOf('$filter=City%20eq%20@p&@p=1%20eq'), { option: '@p', at: 5, length: 0 });
});

test('an error of a value covers it, in its outermost option', (t) => {
  t.deepEqual(positionOf('$top=many'), { option: '$top', at: 1, length: 4 });
  t.deepEqual(positionOf('$expand=Media($levels=none)'), { option: '$expand', at: 15, length: 4 });
});

function fail(): never {
  throw errors.unknownName('property Order', 'Media', '').at('Order');
}

function planInner({ expand }: ReturnType<typeof parseQueryOptions>['options']): unknown {
  const filter = expand?.[0]?.options.filter;
  return located(expand?.[0]?.path[0], () => located(filter?.kind === 'binary' ? filter.left : undefined, fail));
}

test('the innermost node counts, wherever its option is', (t) => {
  t.deepEqual(positionOf('$expand=Media($filter=A/Order eq 1)', planInner), { option: '$expand', at: 17, length: 5 });
});

// oxfmt-ignore
const bodies: readonly (readonly [body: string, target: string, covered: string | undefined, pointer?: string])[] = [
  ['{"City": 5, "ListPrice": -5}', 'ListPrice', '-5', '/ListPrice'],
  ['{"a": "}{\\"", "Rooms": [{"No": 1}, {"No": [2, {}]}]}', 'Rooms[1]/No', '[2, {}]', '/Rooms/1/No'],
  ['{"a/b~c": {"x": "🏠"}}', 'x', undefined],
  ['{"Rooms": []}', 'Rooms[0]/No', undefined],
  ['{"Rooms": 1}', 'Rooms[0]', undefined],
  ['{"\\u0043ity": true}', 'City', 'true', '/City'],
];

for (const [text, target, covered, pointer] of bodies)
  test(`${target} in ${text}`, (t) => {
    const body = new TextEncoder().encode(text);
    const error = errors.notSaved('record').with([
      { code: '1101', message: 'Other is required.', target: 'Other' },
      { code: '1104', message: '', target },
    ]);
    const { position } = positioned(error, { path: '/Property', query: '', body }) as ODataError;
    t.is(position && text.slice(position.at - 1, position.at - 1 + position.length), covered);
    t.is(position?.pointer, pointer);
  });

test('a pointer escapes what stands between its steps', (t) => t.is(pointerOf(['a/b~c', 0]), '/a~1b~0c/0'));

test('the faults of a large body are placed within moments', (t) => {
  const items = Array.from({ length: 20_000 }, (_, index) => `{"No": ${index}, "Text": "${'x'.repeat(20)}"}`);
  const body = new TextEncoder().encode(`{"Items": [${items.join(',')}]}`);
  const error = errors.notSaved('record').with(items.map((_, index) => ({ code: '1101', message: '', target: `Items[${index}]/Lacking` })));
  // The shortest of some times is the one that nothing else on the machine has lengthened.
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    t.is((positioned(error, { path: '/Property', query: '', body }) as ODataError).position, undefined);
    return performance.now() - start;
  });
  t.true(Math.min(...times) < 2_000, times.join(' '));
});

test('an error of no option has no position', (t) => {
  const error = errors.unauthenticated('none was sent');
  t.is((positioned(error, { path: '/Property', query: '$top=1' }) as ODataError).position, undefined);
});
