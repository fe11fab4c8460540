import { batch, changes, changeSet, ConflictError, createClient, filter, isCode } from '../../dist/client/index.js';
import { service } from '../../dist/generated/client.js';

const draft = { ListAgentKey: 'M1', ListOfficeKey: 'M2', PropertyType: 'Residential', StreetNumber: '1', StreetName: 'Elm', City: 'Guelph' };

/** Uses the client with the listing service, wherever it runs; what is found is the same everywhere. */
export async function drive(baseUrl, token) {
  const api = createClient(service, { baseUrl, token: () => Promise.resolve(token), retries: 0 });
  const query = { select: ['ListingKey', 'City'], expand: { ListAgent: { select: ['MemberKey'] } }, orderby: ['City', 'ListingKey'] };
  const cities = [];
  for await (const { City, ListAgent } of api.Property.find({ ...query, filter: (p) => p.City.ne('Guelph') }, { pageSize: 2 })) cities.push([City, ListAgent.MemberKey.length > 0]);
  const counted = await api.Property.count({ filter: filter`City ne ${'Guelph'}` });
  const feed = changes(api.Property, { select: ['City'], filter: (p) => p.City.eq('Guelph') });
  for await (const change of feed) void change;
  const created = await api.Property.create(draft, { select: ['ListingKey', 'City'] });
  const changed = await api.Property.update(created, { ChangedByMemberKey: 'M1', ListPrice: 1 }, { select: ['ListPrice'] });
  const stale = await api.Property.update(created, { ChangedByMemberKey: 'M1', ListPrice: 2 }).catch((error) => error);
  const current = stale instanceof ConflictError ? await stale.current() : stale;
  const found = [];
  for await (const { record } of feed) found.push(record?.City);
  const [page, [removed]] = await batch(api, [api.Property.find({ select: ['City'], top: 1 }), changeSet(api.Property.delete(created.ListingKey))]);
  const unknown = await api.Property.count({ filter: filter`Citty eq 1` }).catch((error) => error);
  return {
    cities,
    counted,
    changed: changed.ListPrice,
    stale: [stale.name, current.ListPrice],
    found,
    page: page.records.length,
    removed: removed ?? null,
    unknown: [isCode(unknown, '1041'), unknown.status],
    left: await leaveEarly(api),
  };
}

async function leaveEarly(api) {
  const controller = new AbortController();
  const reason = new Error('enough');
  try {
    for await (const record of api.Property.find({}, { pageSize: 1, signal: controller.signal })) controller.abort(record.City === undefined ? undefined : reason);
  } catch (error) {
    return error === reason;
  }
  return false;
}

/** What `drive` finds among the records that the tests begin with. */
export const driven = {
  cities: [
    ['Montréal', true],
    ['Ottawa', true],
    ['Ottawa', true],
    ['Toronto', true],
    ['Toronto', true],
    ['Toronto', true],
  ],
  counted: 6,
  changed: 1,
  stale: ['ConflictError', 1],
  found: ['Guelph'],
  page: 1,
  removed: null,
  unknown: [true, 400],
  left: true,
};
