import test from 'ava';
import { checkRequest, type Finding } from '../../explorer/language/check.js';
import { complete } from '../../explorer/language/complete.js';
import { printForm, readForm } from '../../explorer/language/form.js';
import { fromAddress, fromPasted, placeOf, readText, toRequest } from '../../explorer/language/request-text.js';
import { container } from '../../generated/index.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import { type ShownTables, shownTables } from '../../runtime/features/explorer/shown-tables.js';
import { checkCases } from '../support/cases.js';

const scopes = ['listing.read.all', 'listing.write'];

function tablesFor(model: EntityContainer, given: readonly string[]): ShownTables {
  const caller = { subject: '', scopes: new Set(given) };
  return { container: shownTables(model, caller), scopes: given, settings: { overTop: 'reject' }, readOnly: false };
}

const tables = tablesFor(container, scopes);

/** The text of a case with the method that the page begins with. */
function queryOf(input: string): string {
  return `GET ${input}`;
}

test('what is proposed fits the place', (t) =>
  checkCases(t, 'explorer/completion.case', {
    proposed: (input) => {
      const text = queryOf(input);
      const at = text.indexOf('|');
      const { items } = complete(text.replace('|', ''), at, tables);
      const first = items.slice(0, 9).map(({ label }) => label);
      return `${items.length}: ${first.join(' ')}`.replace(/\d{4}-\d\d-\d\d/g, '<today>');
    },
  }));

test('what is wrong is marked at its place', (t) =>
  checkCases(t, 'explorer/mistakes.case', {
    marked: (input) => {
      const text = queryOf(input);
      const read = readText(text);
      const [finding] = checkRequest(toRequest(read), tables).findings;
      const { from, to } = placeOf(finding?.position, read);
      return finding && `'${text.slice(from, to)}' at ${from}`;
    },
    says: (input) => {
      const [finding] = checkRequest(toRequest(readText(queryOf(input))), tables).findings;
      return finding && `${finding.code} ${finding.message}`;
    },
  }));

const operations: NonNullable<EntityContainer['operations']> = {
  'Listing.Revalue': [
    {
      kind: 'Function',
      name: 'Listing.Revalue',
      handler: 'revalue',
      binding: { name: 'listing', type: container.entityTypes['Property']?.qualifiedName ?? '' },
      parameters: [{ name: 'by', type: 'Edm.Int32', field: { type: 'Edm.Int32' } }],
      permissions: [{ scope: 'listing.write', except: [] }],
    },
  ],
};
const called: ShownTables = { ...tables, container: { ...container, operations }, handlers: ['revalue'] };

// oxfmt-ignore
const calls: readonly (readonly [path: string, given: ShownTables, message: RegExp])[] = [
  ["/Property('1')/Listing.Revalue(by=2)", called, /^ *Its parameters are right; only the service knows the result\.$/],
  ["/Property('1')/Listing.Revalue(by='x')", called, /by/],
  ["/Property('1')/Listing.Revalue(by=2)", { ...called, handlers: [] }, /handler is not written yet/],
  ["/Property('1')/Listing.Revalue(by=2)", { ...called, scopes: ['listing.read'] }, /scope|not permitted|listing\.write/],
  ['/Property/Listing.Revalue(by=2)', called, /There is no function/],
  ['/$all', tables, /^$/],
  ['/$crossjoin(Property,Membr)', tables, /Did you mean Member\?/],
  ['/Property?$skiptoken=x', tables, /Only the service can open the token of a page/],
];

for (const [address, given, message] of calls)
  test(`${address} with ${given.handlers?.length ?? 0} handlers for ${given.scopes.join(' ')}`, (t) => {
    const [path = '', query = ''] = address.split('?');
    const [{ message: said = '', details = [] } = {}] = checkRequest({ path, query }, given).findings as readonly Partial<Finding>[];
    t.regex([said, ...details].join(' '), message);
  });

function labels(text: string, given: ShownTables): readonly string[] {
  return complete(text, text.length, given).items.map(({ label }) => label);
}

test('a caller is proposed nothing that is hidden', (t) => {
  const narrow = tablesFor(container, ['listing.read']);
  for (const option of ['$filter', '$select', '$orderby']) {
    t.true(labels(`GET /Property\n${option}=Sold`, tables).includes('SoldPrice'));
    t.false(labels(`GET /Property\n${option}=Sold`, narrow).includes('SoldPrice'));
  }
  t.deepEqual(labels('GET /', tablesFor(container, [])), []);
});

test('a type of many properties is checked and completed while one types', (t) => {
  const [wide] = Object.values(container.entityTypes);
  const fields = Object.fromEntries(
    Array.from({ length: 632 }, (_, index) => [`Field${index}`, { type: 'Edm.String', nullable: true }] as const),
  );
  const model = { ...container, entityTypes: { ...container.entityTypes, Property: { ...wide, fields: { ...wide?.fields, ...fields } } } };
  const large = tablesFor(model as EntityContainer, scopes);
  const text = "GET /Property\n$filter=City eq 'x' and Feild99 eq 'x' and Fi";
  // The shortest of some times is the one that nothing else on the machine has lengthened.
  const times = Array.from({ length: 10 }, () => {
    const start = performance.now();
    checkRequest(toRequest(readText(text)), large);
    complete(text, text.length, large);
    return performance.now() - start;
  });
  t.true(Math.min(...times) < 50, times.join(' '));
});

test('the text of an address is that address again', (t) => {
  for (const address of [
    "/Property?$filter=City%20eq%20'a%26b%2Bc'&$top=5",
    "/Property('O''Neil')?$select=City",
    "/Property?$filter=City%20eq%20'%23%25'",
    "/Property?$filter=City%20eq%20'a?b'&$top=5",
  ]) {
    const { path, query } = toRequest(readText(fromAddress(address)));
    t.is(`${path}?${query}`, address);
  }
});

// oxfmt-ignore
const pasted: readonly (readonly [text: string, expected: string | undefined])[] = [
  ["http://other:4004/odata/Property?$filter=City%20eq%20'Toronto'&$top=3", "GET /Property\n$filter=City eq 'Toronto'\n$top=3"],
  ["https://api.example/v1/odata/Property('a%2Fb')", "GET /Property('a/b')"],
  ["/odata/Property?$filter=City eq 'Toronto'\n", "GET /Property\n$filter=City eq 'Toronto'"],
  ['GET /odata/Property?$top=3 HTTP/1.1', 'GET /Property\n$top=3'],
  ['/Property?$top=3', 'GET /Property\n$top=3'],
  ['https://api.example/odata', 'GET /'],
  ['https://elsewhere.example/Property?$top=3', undefined],
  ['GET /Property\n$top=3', undefined],
  ['/odata/Property\n$top=3', undefined],
  ["City eq 'x'", undefined],
];

for (const [text, expected] of pasted)
  test(`a pasted text is ${expected === undefined ? 'no' : 'an'} address: ${text.trimEnd()}`, (t) =>
    t.is(fromPasted(text, ['/v1/odata', '/odata']), expected));

test('an address on the first line has the places of its options', (t) => {
  const text = "GET /Property('a?b')/Media?$filter=MediaType eq 'x&y?'&$top=3\n$skip=1";
  const { path, options } = readText(text);
  t.is(path, "Property('a?b')/Media");
  t.deepEqual(
    options.map(({ name, from, at, to }) => [name, text.slice(from, at), text.slice(at, to)]),
    [
      ['$filter', '$filter=', "MediaType eq 'x&y?'"],
      ['$top', '$top=', '3'],
      ['$skip', '$skip=', '1'],
    ],
  );
});

// oxfmt-ignore
const edits: readonly (readonly [text: string, change: (form: ReturnType<typeof readForm>) => ReturnType<typeof readForm>, expected: string])[] = [
  ["GET /Property\n$filter=(City eq 'x') and (ListPrice gt 1 or ListPrice lt 0)", (form) => ({ ...form, conditions: form.conditions.slice(1) }), 'GET /Property\n$filter=ListPrice gt 1 or ListPrice lt 0'],
  ["GET /Property\n$filter=contains(City,'x')\n$top=5", (form) => ({ ...form, conditions: [] }), 'GET /Property\n$top=5'],
  ['GET /Property\n$top=5', (form) => ({ ...form, top: '10', count: true, select: ['City'] }), 'GET /Property\n$top=10\n$select=City\n$count=true'],
  ['GET /Property\n# a note\n$expand=Media($top=1;$select=Order),Rooms', (form) => ({ ...form, expand: form.expand.slice(0, 1) }), 'GET /Property\n# a note\n$expand=Media($select=Order;$top=1)'],
  ['GET /Property?$top=5&$skip=1', (form) => ({ ...form, top: '6', select: ['City'] }), 'GET /Property?$top=6&$skip=1\n$select=City'],
  ['GET /Property\n$orderby=ListPrice', (form) => ({ ...form, order: [{ value: 'ListPrice', descending: true }] }), 'GET /Property\n$orderby=ListPrice desc'],
];

for (const [text, change, expected] of edits)
  test(`the form writes ${expected.split('\n').slice(1).join(', ')}`, (t) => {
    const { options = {} } = checkRequest(toRequest(readText(text)), tables);
    t.is(printForm(text, change(readForm(options))), expected);
    t.is(printForm(text, readForm(options)).split('\n').length, text.split('\n').length);
  });
