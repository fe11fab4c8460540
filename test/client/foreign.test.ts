import { readFileSync } from 'node:fs';
import test from 'ava';
import { createClient, filter, isCode, ServiceError } from '../../client/index.js';
import { service } from './trippin/client.js';

// Answers in the form of TripPin, a service of version 4.0: each block of the file has a request, what it is answered with,
// and the body.
const root = 'https://services.odata.org/TripPinRESTierService/';
const exchanges = readFileSync('test/client/trippin.txt', 'utf8')
  .split(/\n*^### /m)
  .slice(1)
  .map((block) => {
    const [request = '', status = '', ...rest] = block.split('\n');
    const blank = rest.indexOf('');
    const headers = rest.slice(0, blank).map((line) => line.split(': ') as [string, string]);
    return { request, status: Number(status), headers, body: rest.slice(blank + 1).join('\n') };
  });

const asked: Request[] = [];

function answer(url: string, init?: RequestInit): Promise<Response> {
  const request = new Request(url, init);
  asked.push(request);
  const wanted = `${request.method} ${decodeURIComponent(request.url.slice(root.length))}`;
  const found = exchanges.find((one) => one.request === wanted);
  if (found === undefined) return Promise.reject(new Error(`No answer to ${wanted}`));
  return Promise.resolve(new Response(found.status === 204 ? null : found.body, { status: found.status, headers: found.headers }));
}

const api = createClient(service, { baseUrl: root, fetch: answer as typeof fetch, retries: 0 });

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
