import test from 'ava';
import {
  and,
  changes,
  type Client,
  ConflictError,
  createClient,
  decimal,
  etagOf,
  Expired,
  filter,
  isCode,
  ServiceError,
} from '../../client/index.js';
import { service as table, type Sets } from '../../generated/client.js';
import { startService, type TestService } from '../support/service.js';
import { draft } from './draft.js';
import { equal } from './equal.js';

let service: TestService;
let api: Client<Sets>;

test.before(async () => {
  service = await startService();
  api = createClient(table, { baseUrl: service.listening, token: () => service.token('write'), origins: [new URL(service.root).origin] });
});
test.after.always(() => service.stop());

const toronto = {
  ListAgentKey: 'M1',
  ListOfficeKey: 'M1',
  PropertyType: 'Residential',
  StreetNumber: '12',
  StreetName: "King's",
  City: 'Toronto',
} as const;

test.serial('pages are read as they are needed, and are all there is', async (t) => {
  const total = await api.Property.count();
  const pages = [];
  for await (const page of api.Property.pages({ select: ['ListingKey'], count: true }, { pageSize: 2 })) pages.push(page);
  const records = await api.Property.find({ select: ['ListingKey'] }, { pageSize: 2 }).all();
  t.true(pages.length > 1);
  t.is(pages[0]?.count, total);
  t.is(new Set(records.map(({ ListingKey }) => ListingKey)).size, total);
  t.is((await api.Property.find({}, { limit: 3 }).all()).length, 3);
});

test.serial('a query is a literal, and its result has what it asks for', async (t) => {
  const [listing] = await api.Property.find({
    select: ['ListingKey', 'City'],
    expand: { Media: { select: ['MediaKey'], top: 1 }, ListAgent: { select: ['MemberKey'] } },
    filter: (p) => and(p.City.ne("O'Hara"), p.ListAgent.MemberKey.eq('M1')),
    orderby: ['ListPrice desc', 'ListingKey'],
  }).all();
  t.is(listing?.ListAgent.MemberKey, 'M1');
  t.deepEqual(
    Object.keys(listing ?? {}).filter((name) => !name.startsWith('@')),
    ['ListingKey', 'City', 'Media', 'ListAgent'],
  );
});

test.serial('a created record is changed while it is as it was read, and no longer', async (t) => {
  const created = await api.Property.create(toronto, { select: ['ListingKey', 'StreetName'] });
  t.is(created.StreetName, "King's");
  t.truthy(etagOf(created));
  const changed = await api.Property.update(created, { ListPrice: 5, ChangedByMemberKey: 'M1' }, { select: ['ListingKey', 'ListPrice'] });
  t.is(changed.ListPrice, 5);
  const conflict = await t.throwsAsync(api.Property.update(created, { ListPrice: 6, ChangedByMemberKey: 'M1' }), {
    instanceOf: ConflictError,
  });
  t.deepEqual(conflict?.changes, { ListPrice: 6, ChangedByMemberKey: 'M1' });
  t.like(await conflict?.current(), { ListPrice: 5 });
  await api.Property.delete(changed);
  const gone = await t.throwsAsync(api.Property.get(created.ListingKey));
  t.true(isCode(gone, '1404'));
});

test.serial('an error has its code, target, position and the id of the request', async (t) => {
  const wrong = { filter: filter`Citty eq ${'Toronto'}` };
  const unknown = await t.throwsAsync(api.Property.find(wrong).all(), { instanceOf: ServiceError });
  t.like(unknown, { status: 400, code: '1041' });
  t.truthy(unknown?.requestId);
  const syntax = await t.throwsAsync(api.Property.count({ filter: filter`City eq` }), { instanceOf: ServiceError });
  t.like(syntax, { code: '1040', target: '$filter', position: { option: '$filter', at: 8, length: 0 } });
  const body = { ...toronto, City: null } as never;
  const invalid = await t.throwsAsync(api.Property.create(body), { instanceOf: ServiceError });
  t.is(invalid?.target ?? invalid?.details[0]?.target, 'City');
});

/** The ways to follow changes: the headers that every request has, and the form of links and of removals. */
const ways = [
  { title: 'delta links', headers: {}, link: /deltatoken=/, deleted: 'deleted' },
  { title: 'the events of a service without delta links', headers: { prefer: '' }, link: /^\d+$/, deleted: 'changed' },
];

for (const { title, headers, link, deleted } of ways)
  test.serial(`changes are followed by ${title}`, async (t) => {
    const follower: Client<Sets> = createClient(table, {
      baseUrl: service.listening,
      origins: [new URL(service.root).origin],
      token: () => service.token('write'),
      headers,
    });
    const feed = changes(follower.Property, { select: ['ListingKey', 'City'], filter: (p) => p.City.eq('Guelph') });
    const before = [];
    for await (const { record } of feed) before.push(record?.City);
    t.true(before.every((city) => city === 'Guelph'));
    t.regex(feed.link ?? '', link);

    const created = await follower.Property.create(draft);
    const moved = await follower.Property.create(draft);
    await follower.Property.update(moved, { City: 'Toronto', ChangedByMemberKey: 'M1' });
    const found = [];
    for await (const { record, removed } of feed) found.push(record ? record.ListingKey : removed);
    t.deepEqual(found.sort(), [created.ListingKey, 'changed'].sort());

    // The link continues elsewhere.
    await follower.Property.delete(created);
    const later = [];
    for await (const { removed } of changes(follower.Property, {}, { since: feed.link })) later.push(removed);
    t.deepEqual(later, [deleted]);
  });

test.serial('a feed that waits has the change that is made meanwhile', async (t) => {
  const feed = changes(api.Property, { select: ['ListingKey'], filter: (p) => p.City.eq('Guelph') }, { wait: 20 });
  for await (const { record } of feed) t.truthy(record);
  const made = new Promise((resolve) => setTimeout(resolve, 300)).then(() => api.Property.create({ ...draft, City: 'Guelph' }));
  const found = [];
  for await (const { record } of feed) found.push(record?.ListingKey);
  t.deepEqual(found, [(await made).ListingKey]);
});

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

// Answers in the form of the standard's examples (JSON Format 4.01, 15; 4.0, 14).
test('delta links are followed in both forms of the standard', async (t) => {
  const root = 'https://one.example/odata/';
  const answers: { readonly [address: string]: () => Response } = {
    'EntityEvent?$orderby=EntityEventSequence%20desc&$top=1': () => json({ value: [] }),
    'Property?$select=ListingKey,City': () => json({ value: [{ ListingKey: '1', City: 'a' }], '@odata.nextLink': 'Property?next' }),
    'Property?next': () => json({ value: [{ ListingKey: '2', City: 'b' }], '@odata.deltaLink': 'Property?delta1' }),
    'Property?delta1': () =>
      json({
        '@context': `${root}$metadata#Property/$delta`,
        value: [
          { '@removed': { reason: 'deleted' }, ListingKey: '1' },
          { ListingKey: '2', City: 'c' },
        ],
        '@deltaLink': 'Property?delta2',
      }),
    'Property?delta2': () =>
      json({
        '@odata.context': '$metadata#Property/$delta',
        value: [{ '@odata.context': '#Property/$deletedEntity', id: "Property('2')", reason: 'changed' }],
        '@odata.deltaLink': 'Property?delta3',
      }),
    'Property?delta3': () => json({ error: { code: '', message: 'Too old' } }, 410),
  };
  const preferences: (string | null)[] = [];
  const answer = (url: unknown, init?: RequestInit): Promise<Response> => {
    preferences.push(new Headers(init?.headers).get('prefer'));
    return Promise.resolve(answers[String(url).slice(root.length)]?.() ?? json({}, 404));
  };
  const client = createClient(table, { baseUrl: root, fetch: answer as typeof fetch });
  const feed = changes(client.Property, { select: ['ListingKey', 'City'] });
  const all: unknown[] = [];
  for await (const { record, link } of feed) all.push([record?.City, link.slice(root.length)]);
  t.deepEqual(all, [
    ['a', 'Property?next'],
    ['b', 'Property?delta1'],
  ]);
  all.length = 0;
  for await (const { record, removed } of feed) all.push(removed ?? record?.City);
  for await (const { removed, key } of feed) all.push(removed, (key as { readonly id: string }).id);
  t.deepEqual(all, ['deleted', 'c', 'changed', "Property('2')"]);
  t.true(preferences.slice(1).every((one) => one === 'track-changes,odata.track-changes'));
  await t.throwsAsync(
    async () => {
      for await (const change of feed) t.fail(String(change));
    },
    { instanceOf: Expired },
  );
});

test.serial('with decimals as text no digit is lost, in records, keys, bodies and calculated values', async (t) => {
  const exact = createClient(table, {
    baseUrl: service.listening,
    origins: [new URL(service.root).origin],
    token: await service.token('write'),
    decimals: 'string',
  });
  const [dear] = await exact.Property.find({
    select: ['ListingKey', 'ListPrice', 'TaxYear'],
    expand: { Rooms: { select: ['RoomArea'], top: 1 } },
    compute: { Half: (p) => p.ListPrice.div(2), Length: (p) => p.City.length() },
    filter: (p) => p.ListPrice.eq(decimal('99999999999.99')),
  }).all();
  t.is(dear?.ListPrice, '99999999999.99');
  equal<
    typeof dear,
    | undefined
    | {
        ListingKey: string;
        ListPrice: `${number}` | null;
        TaxYear: number | null;
        Rooms: { RoomArea: `${number}` | null }[];
        Half: `${number}` | null;
        Length: number | null;
      }
  >(true);
  const { ListPrice } = await exact.Property.create({ ...draft, ListPrice: String(dear?.ListPrice) }, { select: ['ListPrice'] });
  t.is(ListPrice, '99999999999.99');
  const [event] = await exact.EntityEvent.find({ top: 1 }).all();
  t.is(typeof event?.EntityEventSequence, 'string');
  t.like(await exact.EntityEvent.get(String(event?.EntityEventSequence)), event ?? {});
});

/** Never called: what must not compile where decimals are text. */
export function refused(): void {
  const exact = createClient(table, { baseUrl: 'x', decimals: 'string' });
  // @ts-expect-error: a body has them as text too.
  exact.Property.update('1', { ChangedByMemberKey: '1', ListPrice: 1 });
  // @ts-expect-error: a filter has numbers, since text in a filter is quoted.
  exact.Property.find({ filter: (p) => p.ListPrice.gt('1') });
  // @ts-expect-error: the form is one of two.
  createClient(table, { baseUrl: 'x', decimals: 'text' });
  // @ts-expect-error: options have exact names.
  createClient(table, { baseUrl: 'x', decimal: 'string' });
  // @ts-expect-error: without a form decimals are numbers.
  createClient(table, { baseUrl: 'x', decimals: undefined }).Property.update('1', { ChangedByMemberKey: '1', ListPrice: '1' });
}
