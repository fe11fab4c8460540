import test, { type ExecutionContext } from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { printJson } from '../../runtime/json/json.js';
import { seedDatabase } from '../../runtime/extensions/listing/samples/seed-database.js';
import { listing } from '../../runtime/extensions/listing/listing.js';
import { fillWithSamples } from '../../runtime/tools/cli/samples.js';
import type { Example } from '../../generator/emit/example.js';
import { examplesOf } from '../../generator/emit/examples.js';
import type { ModelGraph } from '../../generator/graph/model-graph.js';
import { exampleUrl } from '../../generator/portal/code-samples.js';
import { emitPortal } from '../../generator/portal/emit-portal.js';
import { functionRows } from '../../generator/portal/functions-page.js';
import { queryOptions } from '../../generator/portal/query-options.js';
import { richest } from '../../generator/portal/sample-site.js';
import { siteOf, type Site } from '../../generator/portal/site.js';
import { patient } from '../support/database.js';
import { startService } from '../support/service.js';
import { startToy } from '../toy/toy-service.js';
import { graphOf, graphOfText } from './portal.js';
import { runRequests } from './run-requests.js';

interface Replay {
  readonly site: Site;
  readonly root: string;
  readonly token: string;
}

test('the listing service answers every example of its documentation', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const pool = connect(service.databaseUrl, { ...patient, poolSize: 2 });
  t.teardown(() => pool.close());
  await seedDatabase(pool, listing.container, { listings: 80, seed: 1, reset: true });
  const graph = graphOf('model/metadata.xml');
  const token = await service.token('write');
  t.deepEqual(await runRequests(requestsOf(graph), { root: service.root, token }), []);
  await replay(t, { site: siteOf(graph), root: service.root, token });
});

for (const model of ['test/portal/orders.xml', 'test/project/towns.xml', 'test/toy/staff.xml', 'test/toy/shapes.xml', 'test/toy/album.xml'])
  test(`a service of ${model} answers every example of its documentation`, async (t) => {
    const { site, root } = await startSamples(t, model);
    await replay(t, { site, root, token: 'toy' });
  });

// The first model has creates in all sets, the second one media entities and required preconditions.
for (const model of ['test/portal/orders.xml', 'test/toy/album.xml'])
  test(`a service of ${model} carries out requests.http from top to bottom`, async (t) => {
    const { graph, root } = await startSamples(t, model);
    t.deepEqual(await runRequests(requestsOf(graph), { root, token: 'toy' }), []);
  });

async function startSamples(t: ExecutionContext, model: string) {
  const graph = graphOf(model);
  const site = siteOf(graph);
  const scopes = new Set(site.sets.flatMap(({ view }) => view.scopes.map(({ scope }) => scope)));
  const service = await startToy(model, { toy: { subject: 'toy', scopes } });
  t.teardown(() => service.stop());
  await fillWithSamples(service.pool, service.container, 3, true);
  return { graph, site, root: service.root };
}

function requestsOf(graph: ModelGraph): string {
  return emitPortal(graph).find(({ path }) => path === 'requests.http')?.text ?? '';
}

async function replay(t: ExecutionContext, { site, root, token }: Replay): Promise<void> {
  const ask = async (example: Pick<Example, 'method' | 'body' | 'ifMatch'>, address: string) => {
    const { method, body, ifMatch } = example;
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    };
    const response = await fetch(address, { method, headers, ...(body !== undefined && { body: printJson(body) }) });
    return { status: response.status, location: response.headers.get('location') ?? undefined, text: await response.text() };
  };
  const otherAddress = async ({ options }: Example, set: string): Promise<string> => {
    const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json;odata.metadata=full' };
    const page = (await (await fetch(`${root}/${set}?$top=1`, { headers })).json()) as {
      readonly value: readonly { readonly '@odata.id': string }[];
    };
    return `${page.value[0]?.['@odata.id']}?${options.map(([name, value]) => `${name}=${value}`).join('&')}`;
  };
  for (const { entity, view } of site.sets) {
    let created: string | undefined;
    for (const example of examplesOf(entity, site.graph)) {
      const title = `${view.set}: ${example.title}`;
      const address =
        example.method === 'PATCH' || example.method === 'DELETE' ? (created ?? exampleUrl(example, root)) : exampleUrl(example, root);
      const found = await ask(example, address);
      // A key of the example may be one that the samples lack.
      const answer = found.status === 404 && example.method === 'GET' ? await ask(example, await otherAddress(example, view.set)) : found;
      t.is(answer.status, example.status, `${title}: ${example.method} ${address}: ${answer.text}`);
      created = answer.location ?? created;
      if (example.answer !== undefined) t.deepEqual(...shapes(answer.text, printJson(example.answer), root), title);
    }
  }
  const set = richest(site)?.view.set ?? '';
  for (const { name, example, isReal } of functionRows(site)) {
    if (!isReal) continue;
    const answer = await ask({ method: 'GET' }, `${root}/${set}?$top=1&$filter=${encodeURIComponent(example)}`);
    t.is(answer.status, 200, `${name}: ${answer.text}`);
  }
  for (const { name, example, isReal } of queryOptions(site)) {
    if (!isReal) continue;
    // As browsers and Python's requests encode a query.
    const answer = await ask({ method: 'GET' }, `${root}/${set}?${new URLSearchParams({ [name]: example.slice(name.length + 1) })}`);
    t.is(answer.status, 200, `${name}: ${answer.text}`);
  }
}

// The names and types of two answers: of the first record, where both have some. A null has any type.
function shapes(actual: string, expected: string, root: string): readonly [unknown, unknown] {
  const pair = [JSON.parse(actual.replaceAll(root, 'https://service.example/odata')), JSON.parse(expected)] as const;
  return shapesOf(pair[0], pair[1]);
}

function shapesOf(actual: unknown, expected: unknown): readonly [unknown, unknown] {
  if (actual === null) return [null, null];
  if (Array.isArray(actual) && Array.isArray(expected)) return actual.length === 0 ? [[], []] : shapesOf(actual[0], expected[0]);
  if (typeof actual !== 'object' || typeof expected !== 'object' || expected === null) return [typeof actual, typeof expected];
  const [one, other] = [new Map(Object.entries(actual)), new Map(Object.entries(expected))];
  const names = [...new Set([...one.keys(), ...other.keys()])].filter((name) => name !== '@odata.nextLink' && name !== '@odata.type');
  const members = names.map(
    (name) =>
      [name, name === '@odata.context' ? ([one.get(name), other.get(name)] as const) : shapesOf(one.get(name), other.get(name))] as const,
  );
  return [
    Object.fromEntries(members.map(([name, [value]]) => [name, value])),
    Object.fromEntries(members.map(([name, [, value]]) => [name, value])),
  ];
}

test('pages of 41 wide types are smaller than 200 kB', (t) => {
  const files = emitPortal(graphOfText(wideModel()));
  const largest = files.reduce((most, file) => (Buffer.byteLength(file.text) > Buffer.byteLength(most.text) ? file : most));
  t.true(Buffer.byteLength(largest.text) < 200_000, `${largest.path}: ${Buffer.byteLength(largest.text)} bytes`);
});

// As many types, fields and words as the RESO Data Dictionary 2.0 has.
function wideModel(): string {
  const description = 'The kind of thing that this field says about the record, for example one or the other, as agreed';
  const property = (index: number): string =>
    `<Property Name="SomeLongFieldName${index}" Type="Edm.String" MaxLength="255"><Annotation Term="Org.OData.Core.V1.Description" String="${description}"/></Property>`;
  const type = (name: string, count: number): string =>
    `<EntityType Name="${name}"><Key><PropertyRef Name="Key"/></Key><Property Name="Key" Type="Edm.String" MaxLength="255" Nullable="false"/>${Array.from({ length: count }, (_, index) => property(index)).join('')}</EntityType>`;
  const names = Array.from({ length: 41 }, (_, index) => `Type${index}`);
  const sets = names.map((name) => `<EntitySet Name="${name}" EntityType="Wide.${name}"/>`).join('');
  return `<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Wide">${names.map((name, index) => type(name, index === 0 ? 631 : 24)).join('')}<EntityContainer Name="C">${sets}</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`;
}
