// Compiling this file is the test, as of types.test.ts: what writes, batches, feeds and operations take and give.
import test from 'ava';
import {
  batch,
  changes,
  changeSet,
  connect,
  createClient,
  find,
  get,
  isCode,
  ServiceError,
  type Change,
  type Client,
  type ErrorPosition,
  type Fields,
  type Page,
} from '../../client/index.js';
import { service as listing, type Sets } from '../../generated/client.js';
import type { EntityEvent, Member, Property } from '../../generated/types.js';
import { standardStatusValues } from '../../generated/values.js';
import { equal } from './equal.js';
import type { Sets as KioskSets } from './kiosk/client.js';
import type { Item, Price, Till } from './kiosk/types.js';
import type { Sets as TripSets } from './trippin/client.js';
import type { Airline, Airport, Person, Trip } from './trippin/types.js';

declare const draft: Sets['Property']['create'];
declare const record: { ListingKey: string; City: string };

/** Writes of the listing. */
export async function writes(api: Client<Sets>): Promise<void> {
  const created = await api.Property.create(draft, { select: ['ListingKey'], signal: new AbortController().signal });
  equal<typeof created, { ListingKey: string }>(true);
  const whole = await api.Property.create(draft);
  equal<(typeof whole)['City'], string>(true);
  const changed = await api.Property.update(record, { ChangedByMemberKey: '1' }, { select: ['City'], etag: '*' });
  equal<typeof changed, { City: string }>(true);
  const byKey = await api.Property.update('1', { ChangedByMemberKey: '1' }, { expand: { Media: true } });
  equal<(typeof byKey)['Media'][number]['MediaKey'], string>(true);
  const nothing = await api.Property.delete(created);
  equal<typeof nothing, void>(true);
  // @ts-expect-error: an option has its exact name.
  await api.Property.create(draft, { selct: ['ListingKey'] });
  // @ts-expect-error: a create selects properties of the record.
  await api.Property.create(draft, { select: ['MediaKey'] });
  // @ts-expect-error: a body has no unknown members.
  await api.Property.update('1', { ChangedByMemberKey: '1', Citty: 'x' });
  // @ts-expect-error: a key is text.
  await api.Property.delete(1);
  // @ts-expect-error: offices are not changed here.
  await api.Office.update('1', { OfficeName: 'x' });
  // @ts-expect-error: a write has no filter.
  await api.Property.update('1', { ChangedByMemberKey: '1' }, { filter: () => undefined });
}

/** Batches and feeds. */
export async function together(api: Client<Sets>): Promise<void> {
  const [page, member, [one, two], none] = await batch(api, [
    api.Property.find({ select: ['City'] }),
    api.Member.get('1', { select: ['MemberKey'] }),
    changeSet(api.Property.create(draft, { select: ['City'] }), api.Property.count()),
    api.Property.delete('1'),
  ]);
  equal<typeof page, Page<{ City: string }>>(true);
  equal<typeof member, { MemberKey: string }>(true);
  equal<typeof one, { City: string }>(true);
  equal<typeof two, number>(true);
  equal<typeof none, void>(true);
  // @ts-expect-error: a change set has its requests one by one.
  changeSet([api.Property.delete('1')]);
  // @ts-expect-error: a batch has as many results as requests.
  const [, , third] = await batch(api, [api.Property.count(), api.Member.count()]);
  void third;
  for await (const change of changes(api.Property, { select: ['City'] })) equal<typeof change, Change<{ City: string }>>(true);
  // @ts-expect-error: a feed selects properties of its set.
  changes(api.Property, { select: ['MemberKey'] });
  // @ts-expect-error: only sets have changes.
  changes(record);
}

/** Functions of a connection without methods. */
export async function handles(): Promise<void> {
  const sets = connect(listing, { baseUrl: 'x' });
  // @ts-expect-error: a client has an address.
  createClient(listing, {});
  for await (const found of find(sets.Member, { select: ['MemberKey'] })) equal<typeof found, { MemberKey: string }>(true);
  const event = await get(sets.EntityEvent, 1);
  equal<(typeof event)['EntityEventSequence'], EntityEvent['EntityEventSequence']>(true);
  // @ts-expect-error: a connection has no methods.
  sets.Member.find();
  // @ts-expect-error: the key of an event is a number.
  await get(sets.EntityEvent, '1');
}

/** Operations, singletons, enumerations and derived types of other services. */
export async function operations(kiosk: Client<KioskSets>, trips: Client<TripSets>): Promise<void> {
  equal<Awaited<ReturnType<typeof kiosk.Offer>>, Price>(true);
  equal<Awaited<ReturnType<typeof kiosk.Restock>>, Item[]>(true);
  equal<Awaited<ReturnType<ReturnType<typeof kiosk.Till.at>['Pay']>>, Till>(true);
  equal<Awaited<ReturnType<typeof trips.GetNearestAirport>>, Airport>(true);
  equal<Awaited<ReturnType<ReturnType<typeof trips.People.at>['GetFriendsTrips']>>, Trip[]>(true);
  const margin = await kiosk.Items.at(1).Margin();
  equal<typeof margin, number | null>(true);
  const me = await trips.Me.get({ select: ['UserName'], expand: { Photo: true } });
  equal<(typeof me)['UserName'], string>(true);
  const friends = await trips.People.get('x', { select: ['UserName'], expand: { Friends: { select: ['FirstName'] } } });
  equal<(typeof friends)['Friends'], { FirstName: string }[]>(true);
  const airline = await trips.Airlines.create({ AirlineCode: 'x', Name: 'x' });
  equal<(typeof airline)['Name'], Airline['Name']>(true);
  await kiosk.Stock();
  await kiosk.Stock({ many: 2 });
  // @ts-expect-error: a required parameter.
  await kiosk.Sum({ a: 1 });
  // @ts-expect-error: the type of a parameter.
  await kiosk.Sum({ a: 1, b: 'x' });
  // @ts-expect-error: no such parameter.
  await kiosk.Stock({ mani: 2 });
  // @ts-expect-error: an enumeration has its members.
  await kiosk.Store({ id: 1, name: 'x', tags: [], size: 'Medium' });
  // @ts-expect-error: an operation of the set, not of a record.
  await kiosk.Items.at(1).Near({});
  // @ts-expect-error: an airport is not created here.
  await trips.Airports.create({ IcaoCode: 'x' });
}

/** Expressions through complex values, enumerations and null. */
export function expressions(p: Fields<Person>, m: Fields<Member>): void {
  p.AddressInfo.any((address) => address.City.Region.eq('ID'));
  p.Friends.any((friend) => friend.Trips.any((trip) => trip.StartsAt.gt(new Date())));
  p.Concurrency.eq(1n);
  m.MemberFullName.eq(null);
  m.MemberFullName.trim().length().add(1).mod(2).eq(0);
  // @ts-expect-error: a complex value has no text functions.
  p.AddressInfo.any((address) => address.City.contains('x'));
  // @ts-expect-error: a concurrency number is no text.
  p.Concurrency.startswith('1');
  // @ts-expect-error: a length is a number.
  m.MemberFullName.length().eq('1');
  // @ts-expect-error: a name is no member.
  m.Citty.eq('x');
  // @ts-expect-error: a list of related records is no value.
  p.Friends.eq('x');
}

test('values, errors and clients have the types that they are used with', (t) => {
  equal<(typeof standardStatusValues)[number], Property['StandardStatus']>(true);
  const error: unknown = undefined;
  if (isCode(error, '1105')) equal<(typeof error)['code'], '1105'>(true);
  // @ts-expect-error: the catalogue has no such code.
  isCode(error, '9999');
  if (error instanceof ServiceError) equal<(typeof error)['position'], ErrorPosition | undefined>(true);
  t.true(new Set(standardStatusValues).size > 5);
});
