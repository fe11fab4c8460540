import test from 'ava';
import { runStatement, withClient } from '../../runtime/database/run.js';
import { seedSamples } from '../../runtime/tools/samples/seed-samples.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

let service: ToyService;

test.before(async () => {
  const maxExport = { most: 2_500, ofScopes: new Map(Object.entries({ guest: 100, analyst: 2_501, bulk: 50_000 })) };
  service = await startToy('test/errors/examples.xml', callers, { maxExport });
  await seedSamples(service.pool, service.container, 2_500);
});

test.after.always(() => service.stop());

// Callers by their token, which names their scopes.
const callers = Object.fromEntries(
  ['toy', 'guest', 'guest analyst', 'bulk'].map((scopes) => [scopes, { subject: scopes, scopes: new Set(scopes.split(' ')) }]),
);

async function read(path: string, token = 'toy'): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${service.root}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  return { status: response.status, text: await response.text() };
}

test.serial('an export has the records of all pages, once, in their order', async (t) => {
  const { text } = await read('/Songs?$format=ndjson&$orderby=Title desc&$select=No,Title');
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly No: number; readonly Title: string });
  t.is(records.length, 2_500);
  t.is(new Set(records.map(({ No }) => No)).size, 2_500);
  t.deepEqual(
    records,
    records.toSorted((a, b) => (a.Title < b.Title ? 1 : a.Title > b.Title ? -1 : a.No - b.No)),
  );
  const csv = await read('/Songs?$format=csv&$orderby=Title desc&$select=Title,No');
  t.deepEqual(csv.text.trimEnd().split('\r\n'), ['Title,No', ...records.map(({ No, Title }) => `${Title},${No}`)]);
});

test.serial('$top is the number of records, over several pages', async (t) => {
  t.is((await read('/Songs?$format=ndjson&$top=1500&$select=No')).text.split('\n').length - 1, 1_500);
});

test.serial('an export that would be cut is rejected', async (t) => {
  const created = await fetch(`${service.root}/Songs`, {
    method: 'POST',
    headers: { Authorization: 'Bearer toy', 'Content-Type': 'application/json' },
    body: JSON.stringify({ No: 1_000_000 }),
  });
  t.is(created.status, 201);
  const { status, text } = await read('/Songs?$format=csv');
  t.is(status, 400);
  t.regex(
    text,
    /"code":"1044","message":"The collection has 2501 records, but an export of yours has at most 2500; use \$filter or \$top\."/,
  );
  t.is((await read('/Songs?$format=csv&$filter=No ne 1000000&$select=No')).text.split('\r\n').length, 2_502);
});

for (const { token, path, expected } of [
  {
    token: 'guest',
    path: '/Songs?$format=csv&$top=101',
    expected: /"1044","message":"\$top is 101, but an export of yours has at most 100;/,
  },
  { token: 'guest', path: '/Songs?$format=ndjson', expected: /"1044","message":"The collection has 2501 records, .* at most 100;/ },
  { token: 'guest', path: '/Songs?$format=csv&$top=1&$select=Title', expected: /^Title\r\n.*\r\n$/ },
  { token: 'guest analyst', path: '/Songs?$format=csv&$select=No', expected: /^No\r\n(\d+\r\n){2501}$/ },
  // The largest page has 10 000 records.
  { token: 'bulk', path: '/Songs?$format=csv&$top=20000&$select=No', expected: /^No\r\n(\d+\r\n){2501}$/ },
])
  test.serial(`the scopes of a caller set the limit: ${token}, ${path}`, async (t) => {
    t.regex((await read(path, token)).text, expected);
  });

test.serial('an export whose page is too large for memory is rejected', async (t) => {
  const lengthen = `update "Song" set "Title" = repeat('x', 200000) where "No" in (select "No" from "Song" order by "No" limit 700)`;
  await withClient(service.pool, (client) => runStatement(client, { text: lengthen, bind: [] }));
  const { status, text } = await read('/Songs?$format=csv&$orderby=No&$select=Title&$top=1000');
  t.is(status, 400);
  t.regex(text, /"1044","message":"1000 records of the export have more than 128 MiB; use \$select\."/);
});
