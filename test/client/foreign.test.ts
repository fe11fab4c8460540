import test from 'ava';
import { batch, createClient, etagOf, filter, isCode, ServiceError } from '../../client/index.js';
import { answering } from './answers.js';
import { service } from './trippin/client.js';

// Answers in the form of TripPin, a service of version 4.0.
const root = 'https://services.odata.org/TripPinRESTierService/';
const trippin = answering('trippin.txt', root);
const { asked } = trippin;
const api = createClient(service, { baseUrl: root, fetch: trippin.fetch, retries: 0 });

test('records with enumerations, complex values and related records are read over pages', async (t) => {
  const people = await api.People.find({
    select: ['UserName', 'Gender', 'AddressInfo'],
    expand: { Trips: { select: ['TripId', 'Name'] } },
    filter: (p) => p.Gender.eq('Female'),
  }).all();
  t.deepEqual(
    people.map(({ UserName, Gender, Trips }) => [UserName, Gender, Trips.length]),
    [
      ['scottketchum', 'Female', 1],
      ['vincentcalabrese', 'Female', 0],
    ],
  );
  t.is(people[0]?.AddressInfo[0]?.City.Name, 'Boise');
});

test('an ETag of the header is sent with the change, and a record that is not answered is read', async (t) => {
  const airline = await api.Airlines.get('AA');
  t.is(airline.Name, 'American Airlines');
  const changed = await api.Airlines.update(airline, { Name: 'American' }, { select: ['Name'] });
  t.is(changed.Name, 'American');
  const patch = asked.find(({ method }) => method === 'PATCH');
  t.is(patch?.headers.get('if-match'), 'W/"J0FtZXJpY2FuIEFpcmxpbmVzJw=="');
});

test('functions and actions are called by their qualified names', async (t) => {
  const trips = await api.People.at('russellwhyte').GetFriendsTrips({ userName: "O'Neil" });
  t.is(trips[0]?.Name, 'Trip in US');
  const near = await api.GetNearestAirport({ lat: 33, lon: -118 });
  t.is(near.IcaoCode, 'KLAX');
  await api.Me.at().ShareTrip({ userName: 'scottketchum', tripId: 1 });
  t.deepEqual(await asked.at(-1)?.json(), { userName: 'scottketchum', tripId: 1 });
});

test('an error without a code of ours keeps what it tells', async (t) => {
  const error = await t.throwsAsync(api.People.count({ filter: filter`Nickname eq ${1}` }), { instanceOf: ServiceError });
  t.like(error, { status: 400, code: '', requestId: undefined });
  t.regex(error?.message ?? '', /Could not find a property named 'Nickname'/);
  t.false(isCode(error, '1041'));
});

const standard = answering('standard.txt', 'https://host.example/service/');
const terse = createClient(service, { baseUrl: 'https://host.example/service', fetch: standard.fetch, retries: 0 });

test('control information without its prefix, relative links and counts as text are read', async (t) => {
  const found = [];
  for await (const { records, count } of terse.Airlines.pages({ count: true }, { ahead: false }))
    found.push([count, records.map(({ AirlineCode }) => AirlineCode)]);
  t.deepEqual(found, [
    [3, ['AA', 'BB']],
    [3, ['CC']],
  ]);
  t.is(await terse.People.count(), 8);
  const { Photo, Friends } = await terse.People.get('x', {
    select: ['UserName'],
    expand: { Photo: true, Friends: { select: ['UserName'], top: 1 } },
  });
  t.deepEqual([Photo, Friends], [null, [{ UserName: 'y' }]]);
});

test('writes that are answered without the record are followed by its read', async (t) => {
  const [first] = await terse.Airlines.find({ count: true }, { limit: 1 }).all();
  const changed = await terse.Airlines.update(first ?? 'AA', { Name: 'First' });
  t.is(standard.asked.find(({ method }) => method === 'PATCH')?.headers.get('if-match'), 'W/"7"');
  t.deepEqual([changed.Name, etagOf(changed)], ['First', 'W/"8"']);
  t.is((await terse.Airlines.create({ AirlineCode: 'DD', Name: 'Four' })).Name, 'Four');
});

test('errors and batches of the standard', async (t) => {
  const error = await t.throwsAsync(terse.Airlines.find({ search: 'a' }).all(), { instanceOf: ServiceError });
  t.like(error, {
    status: 501,
    code: 'unsupported',
    target: '$search',
    details: [{ code: 'try', message: 'Use $filter', target: '$filter' }],
  });
  const [one, two] = [terse.Airlines.get('AA'), terse.Airlines.get('ZZ')];
  t.like(await t.throwsAsync(batch(terse, [one, two])), { status: 404, code: 'gone' });
  t.is(etagOf(await one), 'W/"9"');
});
