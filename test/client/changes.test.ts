import test from 'ava';
import { changes, createClient, Expired, type Client } from '../../client/index.js';
import { service as table, type Sets } from '../../generated/client.js';
import { startService, type TestService } from '../support/service.js';
import { draft } from './draft.js';

let service: TestService;

test.before(async () => {
  service = await startService();
});
test.after.always(() => service.stop());

/** The ways to follow changes: the headers that every request has, and the form of links and of removals. */
const ways = [
  { title: 'delta links', headers: {}, link: /deltatoken=/, deleted: 'deleted' },
  { title: 'the events of a service without delta links', headers: { prefer: '' }, link: /^\d+$/, deleted: 'changed' },
];

for (const { title, headers, link, deleted } of ways)
  test.serial(`changes are followed by ${title}`, async (t) => {
    const api: Client<Sets> = createClient(table, {
      baseUrl: service.listening,
      origins: [new URL(service.root).origin],
      token: () => service.token('write'),
      headers,
    });
    const feed = changes(api.Property, { select: ['ListingKey', 'City'], filter: (p) => p.City.eq('Guelph') });
    const before = [];
    for await (const { record } of feed) before.push(record?.City);
    t.true(before.every((city) => city === 'Guelph'));
    t.regex(feed.link ?? '', link);

    const created = await api.Property.create(draft);
    const moved = await api.Property.create(draft);
    await api.Property.update(moved, { City: 'Toronto', ChangedByMemberKey: 'M1' });
    const found = [];
    for await (const { record, removed } of feed) found.push(record ? record.ListingKey : removed);
    t.deepEqual(found.sort(), [created.ListingKey, 'changed'].sort());

    // The link continues elsewhere.
    await api.Property.delete(created);
    const later = [];
    for await (const { removed } of changes(api.Property, {}, { since: feed.link })) later.push(removed);
    t.deepEqual(later, [deleted]);
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
  t.true(preferences.slice(1).every((one) => one === 'track-changes'));
  await t.throwsAsync(
    async () => {
      for await (const change of feed) t.fail(String(change));
    },
    { instanceOf: Expired },
  );
});
