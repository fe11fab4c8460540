// Compiling this file is the test: each directive must be needed, and each `equal` must hold.
import test from 'ava';
import { and, createClient, createMedia, day, find, not, or, type Fields, type Query, type Result } from '../../client/index.js';
import { printQuery } from '../../client/print-query.js';
import { service as listing, type Sets } from '../../generated/client.js';
import type { Media, Member, Property } from '../../generated/types.js';
import { equal } from './equal.js';
import { service as trippin } from './trippin/client.js';
import type { Airline, Person, Trip } from './trippin/types.js';

const options = { baseUrl: 'https://example.com/odata' };
const api = createClient(listing, options);
const trips = createClient(trippin, options);

/** The type of the records that a query finds. */
type Item<F> = F extends AsyncIterable<infer T> ? T : never;

test('queries of the listing', (t) => {
  const selected = api.Property.find({ select: ['ListingKey', 'ListPrice'] });
  equal<Item<typeof selected>, { ListingKey: string; ListPrice: number | null }>(true);

  const expanded = api.Property.find({ select: ['City'], expand: { Media: { select: ['MediaKey'], top: 1 } } });
  equal<Item<typeof expanded>, { City: string; Media: { MediaKey: string }[] }>(true);

  const single = api.Property.find({ select: ['City'], expand: { ListAgent: { select: ['MemberKey'] } } });
  equal<Item<typeof single>, { City: string; ListAgent: { MemberKey: string } }>(true);

  const nullable = api.Property.find({ select: ['City'], expand: { BuyerAgent: { select: ['MemberKey'] } } });
  equal<Item<typeof nullable>, { City: string; BuyerAgent: { MemberKey: string } | null }>(true);

  const whole = api.Property.find();
  equal<Item<typeof whole>['City'], string>(true);
  // @ts-expect-error: what was not expanded is not there.
  const media = (record: Item<typeof whole>): unknown => record.Media;

  const computed = api.Property.find({ select: ['City'], compute: { Half: (p) => p.ListPrice.div(2), Small: (p) => p.City.tolower() } });
  equal<Item<typeof computed>, { City: string; Half: number | null; Small: string | null }>(true);

  const one = api.Property.get('1', { select: ['City'] });
  equal<Awaited<typeof one>, { City: string }>(true);
  const total = api.Property.count({ filter: (p) => p.City.eq('x') });
  equal<typeof total, Promise<number>>(true);
  const found = find(api.Property, { select: ['City'] });
  equal<Item<typeof found>, { City: string }>(true);
  equal<Result<Member, { select: ['MemberKey'] }>, { MemberKey: string }>(true);
  void media;
  for (const promise of [one, total]) promise.catch(() => undefined);
  t.pass();
});

test('an option may be undefined, as if it were absent', (t) => {
  const city = undefined as string | undefined;
  const query = { filter: city === undefined ? undefined : (p: Fields<Property>) => p.City.eq(city), search: city };
  const found = api.Property.find({ select: ['City'], orderby: undefined, top: undefined, skip: undefined, count: undefined, ...query });
  equal<Item<typeof found>, { City: string }>(true);
  equal<Item<ReturnType<typeof nested>>, { City: string; Media: { MediaKey: string }[] }>(true);
  t.is(printQuery({ select: ['City'], ...query }), '?$select=City');

  function nested() {
    return api.Property.find({ select: ['City'], expand: { Media: { select: ['MediaKey'], filter: undefined } } });
  }
});

// Never called: what must not compile.
export function refused(): void {
  // @ts-expect-error: a position is compared with null only.
  api.Property.find({ filter: (p) => p.GeoLocation.eq({ type: 'Point', coordinates: [0, 0] }) });
  // @ts-expect-error: the model has no Citty.
  api.Property.find({ select: ['Citty'] });
  // @ts-expect-error: an empty list is nothing to the type and everything to the service.
  api.Property.find({ select: [] });
  // @ts-expect-error: options have exact names.
  api.Property.find({ selct: ['City'] });
  // @ts-expect-error: also within $expand.
  api.Property.find({ expand: { Media: { selct: ['MediaKey'] } } });
  // @ts-expect-error: $expand takes navigation properties.
  api.Property.find({ expand: { City: true } });
  // @ts-expect-error: $select takes no navigation properties.
  api.Property.find({ select: ['Media'] });
  // @ts-expect-error: a related record has its own names.
  api.Property.find({ expand: { Media: { select: ['City'] } } });
  // @ts-expect-error: and its own fields.
  api.Property.find({ expand: { Media: { filter: (m) => m.City.eq('x') } } });
  // @ts-expect-error: a direction is asc or desc.
  api.Property.find({ orderby: ['City up'] });
  // @ts-expect-error: a count is no text.
  api.Property.find({ top: '5' });
  // @ts-expect-error: one record has no filter.
  api.Property.get('1', { filter: () => undefined });
  // @ts-expect-error: a key is text.
  api.Property.get(1);
  // @ts-expect-error: the service has no Listings.
  api.Listings.find();
  // @ts-expect-error: members are not created here.
  api.Member.create({ MemberKey: '1' });
  // @ts-expect-error: nor updated.
  api.Member.update('1', { MemberFirstName: 'x' });
  // @ts-expect-error: nor deleted.
  api.Member.delete('1');
  // @ts-expect-error: a listing is changed by PATCH only.
  api.Property.replace('1', { ChangedByMemberKey: '1' });
  // @ts-expect-error: nor is it a media entity.
  createMedia(api.Property, 'x', { type: 'text/plain' });
  // @ts-expect-error: City is required on create.
  api.Property.create({ ListAgentKey: '1', ListOfficeKey: '1', PropertyType: 'x', StreetNumber: '1', StreetName: 'x' });
  // @ts-expect-error: an update names who makes it.
  api.Property.update('1', { ListPrice: 1 });
  // @ts-expect-error: a state has its exact spelling.
  api.Property.update('1', { ChangedByMemberKey: '1', StandardStatus: 'active' });
  // @ts-expect-error: a function of the client refuses the same.
  find(api.Property, { select: ['Citty'] });
}

/** Never called: a record stands for itself by its key. */
export async function records(): Promise<void> {
  const [listing] = await api.Property.find({ select: ['ListingKey', 'City'], compute: { Half: (p) => p.ListPrice.div(2) } }).all();
  const [unnamed] = await api.Property.find({ select: ['City'] }).all();
  const [member] = await api.Member.find().all();
  if (listing === undefined || unnamed === undefined || member === undefined) return;
  await api.Property.delete(listing);
  // @ts-expect-error: a member is no listing.
  await api.Property.delete(member);
  // @ts-expect-error: a record without its key stands for none.
  await api.Property.update(unnamed, { ListPrice: 1, ChangedByMemberKey: '1' });
}

/** Expressions on listings. */
export function expressions(p: Fields<Property>): void {
  and(p.City.eq('x'), or(p.ListPrice.gt(1), p.ListPrice.eq(null)), not(p.GarageYN));
  p.City.in(['a', 'b']);
  p.City.contains('x');
  p.City.tolower().startswith('x');
  p.City.length().gt(3);
  p.ListPrice.mul(2).add(1).lt(p.OriginalListPrice);
  p.StandardStatus.in(['Active', 'Sold']);
  p.CloseDate.ge(day('2026-01-31'));
  p.CloseDate.year().eq(2026);
  p.ModificationTimestamp.gt(new Date());
  p.ModificationTimestamp.date().eq(p.CloseDate);
  p.Heating.any((heating) => heating.eq('Gas'));
  p.Media.any();
  p.Media.count().gt(3);
  p.Rooms.all((room) => room.RoomType.ne('Kitchen'));
  p.ListAgent.MemberLastName.eq('x');
  p.BuyerAgent.eq(null);
  // @ts-expect-error: the list of states is closed.
  p.StandardStatus.eq('Sould');
  // @ts-expect-error: a date is written without quotes, as day(...).
  p.CloseDate.ge('2026-01-31');
  // @ts-expect-error: nor is that of a record quoted.
  p.ModificationTimestamp.gt(({} as Property).ModificationTimestamp);
  // @ts-expect-error: a date is no date-time.
  p.CloseDate.eq(p.ModificationTimestamp);
  // @ts-expect-error: text has no year.
  p.City.year();
  // @ts-expect-error: a state is no date.
  p.StandardStatus.eq(new Date());
  // @ts-expect-error: a price is a number.
  p.ListPrice.eq('1');
  // @ts-expect-error: a number contains no text.
  p.ListPrice.contains('1');
  // @ts-expect-error: text has no product.
  p.City.mul(2);
  // @ts-expect-error: City is never null.
  p.City.eq(null);
  // @ts-expect-error: the model has no Citty.
  p.Citty.eq('x');
  // @ts-expect-error: a list is compared item by item.
  p.Heating.eq('Gas');
  // @ts-expect-error: an item of text is no record.
  p.Heating.any((heating) => heating.Name.eq('x'));
  // @ts-expect-error: related records have their own names.
  p.Rooms.any((room) => room.City.eq('x'));
  // @ts-expect-error: all needs a condition.
  p.Rooms.all();
  // @ts-expect-error: a number is no condition.
  and(p.ListPrice);
  // @ts-expect-error: a path through related records keeps the types.
  p.ListAgent.MemberLastName.eq(1);
  // @ts-expect-error: nor is a boolean a number.
  p.GarageYN.gt(true);
  // @ts-expect-error: one value is no list.
  p.City.in('a');
  // @ts-expect-error: a list has items of the property's type.
  p.ListPrice.in(['a']);
}

test('queries of a service with complex, derived, open, contained and enumeration types', (t) => {
  const people = trips.People.find({ select: ['UserName', 'Gender'], expand: { Trips: { select: ['TripId'], expand: { Photos: true } } } });
  type Found = Item<typeof people>;
  equal<Found['UserName'], string>(true);
  equal<Found['Gender'], Person['Gender']>(true);
  equal<keyof Found, 'UserName' | 'Gender' | 'Trips'>(true);
  equal<keyof Found['Trips'][number], 'TripId' | 'Photos'>(true);
  equal<Found['Trips'][number]['TripId'], number>(true);
  const airline = (): Promise<Airline> => trips.People.at('x').GetFavoriteAirline();
  const friends = (): Promise<Trip[]> => trips.Me.at().GetFriendsTrips({ userName: 'x' });
  const query = { filter: (p: Fields<Person>) => p.AddressInfo.any((one) => one.City.Name.eq('x')) } satisfies Query<Person>;
  void [airline, friends, query];
  t.pass();
});

/** Never called: what must not compile against the other service. */
export function refusedThere(p: Fields<Person>): void {
  p.Gender.eq('Female');
  p['Nickname']?.eq('x');
  p.Trips.any((trip) => trip.Tags.any((tag) => tag.eq('x')));
  trips.People.find({ orderby: (person) => [person.FirstName] });
  trips.Photos.get(1);
  // @ts-expect-error: the enumeration has no such member.
  p.Gender.eq('Femal');
  // @ts-expect-error: the set has no such property.
  trips.People.find({ select: ['Nickname'] });
  // @ts-expect-error: the parameter is required.
  trips.Me.at().GetFriendsTrips();
  // @ts-expect-error: it is text.
  trips.Me.at().GetFriendsTrips({ userName: 1 });
  // @ts-expect-error: there is no such operation.
  trips.Me.at().GetFriends();
  // @ts-expect-error: a singleton has no key.
  trips.Me.get('x');
  // @ts-expect-error: a singleton is not found.
  trips.Me.find();
  // @ts-expect-error: a 64-bit key is a number.
  trips.Photos.get('1');
  // @ts-expect-error: an import has its parameters.
  void trips.GetNearestAirport({ lat: 1 });
}

equal<Media['MediaKey'], string>(true);
equal<keyof Sets, keyof typeof api>(true);
