// Depends on PostgreSQL: SQL.
import test from 'ava';
import { batch, changeSet, createClient, isCode, ref, ServiceError, type Client } from '../../client/index.js';
import { service as table, type Sets } from '../../generated/client.js';
import { startService, type TestService } from '../support/service.js';
import { draft } from './draft.js';

let service: TestService;
let api: Client<Sets>;

test.before(async () => {
  service = await startService();
  api = createClient(table, { baseUrl: service.listening, token: () => service.token('write') });
});
test.after.always(() => service.stop());

test.serial('the results of a batch have the types of its requests, in their order', async (t) => {
  const [page, member, total, [first, second]] = await batch(api, [
    api.Property.find({ select: ['City'], top: 1 }),
    api.Member.get('M1', { select: ['MemberKey'] }),
    api.Property.count(),
    changeSet(api.Property.create(draft, { select: ['ListingKey', 'City'] }), api.Property.create(draft)),
  ]);
  const city: string | undefined = page.records[0]?.City;
  const key: string = member.MemberKey;
  t.truthy(city);
  t.is(key, 'M1');
  t.is(typeof total, 'number');
  t.is(first.City, 'Guelph');
  t.not(first.ListingKey, second.ListingKey);
  await batch(api, [api.Property.delete(first), api.Property.delete(second)]);
});

test.serial('a failed request fails the batch, and the others have their results', async (t) => {
  const [good, bad] = [api.Member.get('M1', { select: ['MemberKey'] }), api.Member.get('none')];
  const error = await t.throwsAsync(batch(api, [good, bad]), { instanceOf: ServiceError });
  t.true(isCode(error, '1404'));
  t.is((await good).MemberKey, 'M1');
  t.is(await t.throwsAsync(bad), error);
});

test.serial('a change set is carried out as a whole or not at all', async (t) => {
  const count = await api.Property.count();
  await t.throwsAsync(batch(api, [changeSet(api.Property.create(draft), api.Property.create({ ...draft, ListAgentKey: 'none' }))]));
  t.is(await api.Property.count(), count);
});

test.serial('a batch has the form of numbers of its client', async (t) => {
  const exact = createClient(table, { baseUrl: service.listening, token: () => service.token('write'), decimals: 'string' });
  const [created] = await batch(exact, [exact.Property.create({ ...draft, Latitude: '43.12345678', Longitude: '-80.1' })]);
  t.is(created.Latitude, '43.12345678');
  const [read] = await batch(exact, [exact.Property.get(created.ListingKey, { select: ['Latitude'] })]);
  t.is(read.Latitude, '43.12345678');
  await exact.Property.delete(created);
});

test.serial('the requests of a batch are repeatable, each for itself', async (t) => {
  let lost = 0;
  const cut: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method === 'POST' && (lost += 1) === 1) throw new TypeError('fetch failed');
    return response;
  };
  const safe = createClient(table, { baseUrl: service.listening, token: () => service.token('write'), repeatable: true, fetch: cut });
  const before = await safe.Property.count();
  const [created] = await batch(safe, [safe.Property.create(draft)]);
  t.is(await safe.Property.count(), before + 1);
  await safe.Property.delete(created.ListingKey);
  t.is(lost, 2);
});

test.serial('a request that was sent is no part of a batch', async (t) => {
  const sent = api.Member.get('M1');
  await sent;
  await t.throwsAsync(batch(api, [sent]), { message: /of this call/ });
});

test('a request refers to a record that an earlier one creates', async (t) => {
  const bodies: string[] = [];
  const answer = {
    responses: [
      { id: '1', status: 201, body: { City: 'x' } },
      { id: '2', status: 201, body: {} },
    ],
  };
  const recorded = (_: unknown, init?: RequestInit): Promise<Response> => {
    bodies.push(String(init?.body));
    return Promise.resolve(new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } }));
  };
  const other = createClient(table, { baseUrl: 'https://one.example/odata/', fetch: recorded as typeof fetch });
  const created = other.Property.create(draft);
  const body = { 'Buyer@odata.bind': ref(created), ChangedByMemberKey: 'M1' };
  const bound = { ...draft, ...body } as Sets['Property']['create'];
  await batch(other, [created, other.Property.create(bound)]);
  const { requests } = JSON.parse(bodies.at(-1) ?? '{}') as {
    requests: { id: string; dependsOn?: string[]; body: Record<string, string> }[];
  };
  t.is(requests[1]?.body['Buyer@odata.bind'], '$1');
  t.deepEqual(requests[1]?.dependsOn, ['1']);
});
