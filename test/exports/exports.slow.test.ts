import test from 'ava';
import { seedSamples } from '../../runtime/tools/samples/seed-samples.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

let service: ToyService;

test.before(async () => {
  service = await startToy('test/errors/examples.xml', {}, { maxExport: 2_500 });
  await seedSamples(service.sequelize, service.container, 2_500);
});

test.after.always(() => service.stop());

async function read(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${service.root}${path}`, { headers: { Authorization: 'Bearer toy' } });
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
  t.regex(text, /"code":"1044","message":"The collection has 2501 records, but an export has at most 2500; use \$filter or \$top\."/);
  t.is((await read('/Songs?$format=csv&$filter=No ne 1000000&$select=No')).text.split('\r\n').length, 2_502);
});
