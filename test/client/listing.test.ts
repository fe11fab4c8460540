import test from 'ava';
import { and, ConflictError, createClient, etagOf, filter, isCode, ServiceError, type Client } from '../../client/index.js';
import { service as table, type Sets } from '../../generated/client.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let api: Client<Sets>;

test.before(async () => {
  service = await startService();
  api = createClient(table, { baseUrl: service.listening, token: () => service.token('write'), origins: [new URL(service.root).origin] });
});
test.after.always(() => service.stop());

const draft = {
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
  const created = await api.Property.create(draft, { select: ['ListingKey', 'StreetName'] });
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
  const body = { ...draft, City: null } as never;
  const invalid = await t.throwsAsync(api.Property.create(body), { instanceOf: ServiceError });
  t.is(invalid?.target ?? invalid?.details[0]?.target, 'City');
});
