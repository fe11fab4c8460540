// Compiling this file is the test, as of types.test.ts: bodies of derived, open and complex types, singletons, streams, and
// what each option takes.
import test from 'ava';
import {
  batch,
  changes,
  clientCredentials,
  connect,
  count,
  createClient,
  dateTime,
  day,
  decimal,
  filter,
  find,
  not,
  pages,
  readStream,
  ref,
  writeStream,
  type Change,
  type Client,
  type Condition,
  type Fields,
  type Found,
  type Page,
} from '../../client/index.js';
import { service as listing, type Sets } from '../../generated/client.js';
import { equal } from './equal.js';
import { service as kioskTable, type Sets as KioskSets } from './kiosk/client.js';
import type { Gift, Item, Shelf, Till } from './kiosk/types.js';
import type { Sets as TripSets } from './trippin/client.js';
import type { Flight, Location, Person, PersonGender, PlanItem, Trip } from './trippin/types.js';

/** A record that was read in part, with related ones in part, is the record of a change. */
export async function parts(listings: Client<Sets>): Promise<void> {
  const [listing] = await listings.Property.find({ select: ['ListingKey'], expand: { Media: { select: ['MediaKey'] } } }).all();
  if (listing === undefined) return;
  await listings.Property.update(listing, { ListPrice: 1, ChangedByMemberKey: 'M1' });
  await listings.Property.delete(listing);
  // @ts-expect-error: no property of a listing.
  await listings.Property.delete({ Colour: 'red' });
}

/** Creates with related, derived and complex values. */
export async function bodiesOfDerivedTypes(kiosk: Client<KioskSets>): Promise<void> {
  await kiosk.Items.update(1, { Ribbon: 'red' });
  await kiosk.Store({ id: 1, name: 'x', price: { Amount: 1 }, tags: [] });
  await kiosk.Quote({ item: { Id: 1 }, price: null, sizes: [] });
}

/** Creates with related, derived and complex values. */
export async function creates(kiosk: Client<KioskSets>, trips: Client<TripSets>): Promise<void> {
  const shelf = await kiosk.Shelves.create({ Id: 'a', Next: { Id: 'b', Label: 'below', Next: { '@odata.id': "Shelves('c')" } } });
  equal<typeof shelf.Id, string>(true);
  const deep = await kiosk.Shelves.create({ Id: 'a', Next: { Id: 'b' } }, { select: ['Id'], expand: { Next: { select: ['Label'] } } });
  equal<typeof deep, { Id: string; Next: { Label: string | null } | null }>(true);
  const bound = await kiosk.Shelves.create({ Id: 'a', 'Next@odata.bind': ref(kiosk.Shelves.create({ Id: 'b' })) });
  equal<typeof bound.Label, string | null>(true);
  const gift = await kiosk.Items.create({ '@odata.type': '#Kiosk.Gift', Id: 1, Name: 'x', Ribbon: 'red' });
  equal<typeof gift.Name, string>(true);
  const person = await trips.People.create({
    UserName: 'x',
    FirstName: 'x',
    LastName: 'y',
    AddressInfo: [{ Address: '1', City: { Name: 'Boise', Region: 'ID', CountryRegion: 'US' } }],
    Nickname: 'dynamic',
  });
  equal<typeof person.Gender, PersonGender | null>(true);
  // @ts-expect-error: the key of a related record is required too.
  await kiosk.Shelves.create({ Id: 'a', Next: { Label: 'below' } });
  // @ts-expect-error: a related record has its own names.
  await kiosk.Shelves.create({ Id: 'a', Next: { Id: 'b', Name: 'x' } });
  // @ts-expect-error: the ribbon of a gift is text.
  await kiosk.Items.create({ '@odata.type': '#Kiosk.Gift', Id: 1, Name: 'x', Ribbon: 1 });
  // @ts-expect-error: no other type derives from an item.
  await kiosk.Items.create({ '@odata.type': '#Kiosk.Present', Id: 1, Name: 'x' });
  // @ts-expect-error: a complex value has its required members.
  await trips.People.create({ UserName: 'x', FirstName: 'x', LastName: 'y', AddressInfo: [{ Address: '1' }] });
  // @ts-expect-error: a price is no text.
  await kiosk.Items.create({ Id: 1, Name: 'x', Price: '1' });
}

/** Updates of records and singletons. */
export async function updates(kiosk: Client<KioskSets>, trips: Client<TripSets>, item: Item): Promise<void> {
  const till = await kiosk.Till.update({ Cash: 5 });
  equal<(typeof till)['Cash'], Till['Cash']>(true);
  const cash = await kiosk.Till.update({ Cash: 5 }, { select: ['Cash'], etag: 'W/"1"' });
  equal<typeof cash, { Cash: number }>(true);
  const changed = await kiosk.Items.update(item, { Name: 'x', Tags: [] }, { select: ['Tags'], expand: { Shelf: true } });
  equal<typeof changed.Tags, string[]>(true);
  equal<typeof changed.Shelf, Pick<Shelf, 'Id' | 'Label'> | null>(true);
  const replaced = await kiosk.Items.replace(1, { Name: 'x' }, { select: ['Id'] });
  equal<typeof replaced, { Id: number }>(true);
  const me = await trips.Me.update({ FirstName: 'x', Photo: { '@odata.id': 'Photos(1)' } }, { select: ['FirstName'] });
  equal<typeof me, { FirstName: string }>(true);
  // @ts-expect-error: cash is never null.
  await kiosk.Till.update({ Cash: null });
  // @ts-expect-error: a key is not changed.
  await kiosk.Till.update({ Id: 2 });
  // @ts-expect-error: a singleton is not created.
  await kiosk.Till.create({ Cash: 1 });
  // @ts-expect-error: an ETag is text.
  await kiosk.Till.update({ Cash: 5 }, { etag: 1 });
  // @ts-expect-error: a part of a record without its key is none.
  await kiosk.Items.update({ Nome: 'x' }, { Name: 'x' });
  // @ts-expect-error: an existing record is referred to, not created, in an update.
  await kiosk.Shelves.update('a', { Next: { Id: 'b' } });
  // @ts-expect-error: an airport has no writable code.
  await trips.Airports.update('x', { IataCode: 'x' });
}

/** Queries through related, contained, derived and open types. */
export async function queries(kiosk: Client<KioskSets>, trips: Client<TripSets>): Promise<void> {
  const notes = kiosk.Shelves.find({ select: ['Id'], expand: { Notes: { orderby: ['No desc'], filter: (n) => n.Text.ne(null) } } });
  equal<typeof notes, Found<{ Id: string; Notes: { No: number; Text: string | null }[] }>>(true);
  const next = await kiosk.Shelves.get('a', { select: ['Id'], expand: { Next: { select: ['Id'], expand: { Next: { select: ['Id'] } } } } });
  equal<typeof next, { Id: string; Next: { Id: string; Next: { Id: string } | null } | null }>(true);
  const items = await trips.People.get('x', {
    select: ['UserName'],
    expand: { Trips: { select: ['TripId'], expand: { PlanItems: true } } },
  });
  equal<(typeof items)['Trips'][number]['PlanItems'][number]['Duration'], PlanItem['Duration']>(true);
  const computed = await trips.People.get('x', { select: ['UserName'], compute: { Size: (p) => p.UserName.length() } });
  equal<typeof computed, { UserName: string; Size: number | null }>(true);
  for await (const page of pages(connect(kioskTable, { baseUrl: 'x' }).Items, { select: ['Id'], count: true }))
    equal<typeof page, Page<{ Id: number }>>(true);
  const total = await count(connect(listing, { baseUrl: 'x' }).Property, { filter: filter`City eq ${'x'}` });
  equal<typeof total, number>(true);
  const feed = changes(kiosk.Items, { select: ['Id'] }, { since: undefined });
  for await (const { record, removed, link } of feed) {
    equal<typeof record, { Id: number } | undefined>(true);
    equal<typeof removed, 'deleted' | 'changed' | undefined>(true);
    equal<typeof link, string>(true);
  }
  equal<Change<Trip>['record'], Trip | undefined>(true);
  // @ts-expect-error: a note has no such property.
  kiosk.Shelves.find({ expand: { Notes: { orderby: ['Nr'] } } });
  // @ts-expect-error: related records of related records have their own names.
  trips.People.find({ expand: { Trips: { expand: { Trips: true } } } });
  // @ts-expect-error: a computed value is an expression.
  trips.People.find({ select: ['UserName'], compute: { Size: () => 1 } });
  // @ts-expect-error: a page size is a number.
  kiosk.Items.find({}, { pageSize: '5' });
  // @ts-expect-error: a count takes no $select.
  await kiosk.Items.count({ select: ['Id'] });
  // @ts-expect-error: a feed continues from a link.
  changes(kiosk.Items, {}, { since: 5 });
}

/** Streams, tokens and batches. */
export async function others(trips: Client<TripSets>, kiosk: Client<KioskSets>, api: Client<Sets>): Promise<void> {
  const part = await readStream(trips.Photos, 1, '$value', { start: 0, end: 9 });
  equal<typeof part, Response>(true);
  await writeStream(trips.Photos, { Id: 1 }, '$value', new Blob([]), { type: 'image/png' });
  // @ts-expect-error: a photo has no stream of that name.
  await readStream(trips.Photos, 1, 'Thumbnail');
  // @ts-expect-error: an airline has no stream.
  await readStream(trips.Airlines, 'AA', '$value');
  // @ts-expect-error: bytes have a media type.
  await writeStream(trips.Photos, 1, '$value', new Blob([]), {});
  const [called, margin] = await batch(kiosk, [kiosk.Items.at(1).Discount({ percent: 5 }), kiosk.Items.at(1).Margin()]);
  equal<typeof called, Item>(true);
  equal<typeof margin, number | null>(true);
  const token = clientCredentials({ tokenUrl: 'x', clientId: 'a', clientSecret: 'b' });
  createClient(listing, { baseUrl: new URL('https://example.com'), token, retries: 0, repeatable: true, origins: [] });
  // @ts-expect-error: credentials have a secret.
  clientCredentials({ tokenUrl: 'x', clientId: 'a' });
  // @ts-expect-error: a token is text.
  createClient(listing, { baseUrl: 'x', token: 1 });
  // @ts-expect-error: the table is that of a service.
  createClient({ name: 'x' }, { baseUrl: 'x' });
  // @ts-expect-error: a key of text.
  await find(api.Property, { filter: (p) => p.ListingKey.eq(1) }).all();
}

/** Expressions of dates, enumerations and derived values. */
export function expressions(p: Fields<Person>, f: Fields<Flight>, l: Fields<Location>, t: Fields<Trip>): void {
  equal<ReturnType<typeof filter>, Condition>(true);
  t.StartsAt.lt(dateTime('2026-01-31T00:00:00Z'));
  t.Budget.gt(decimal('12345678901234567890.5'));
  t.StartsAt.date().eq(day('2026-01-31'));
  p.Gender.in(['Male', 'Female']);
  f.Airline.Name.eq('x');
  l.City.Name.tolower().contains('x');
  not(p.Friends.any());
  // @ts-expect-error: a date and time is no number.
  t.StartsAt.gt(1);
  // @ts-expect-error: a gender is one of its members.
  p.Gender.in(['X']);
  // @ts-expect-error: an airline has no such property.
  f.Airline.Nome.eq('x');
  // @ts-expect-error: a budget has no month.
  t.Budget.month();
  // @ts-expect-error: a negated condition is a condition.
  not(t.Budget);
}

test('derived records are records of their base type', (t) => {
  equal<Gift['Id'], Item['Id']>(true);
  equal<Flight['Duration'], PlanItem['Duration']>(true);
  t.pass();
});
