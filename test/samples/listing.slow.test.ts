import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { container } from '../../generated/index.js';
import type { CopyValue } from '../../runtime/database/copy.js';
import { listingOf, type Listing, worldOf } from '../../runtime/extensions/listing/samples/listing.js';
import { lookupRows } from '../../runtime/extensions/listing/samples/lookups.js';
import { agentRow, officeMemberRow, officeRow } from '../../runtime/extensions/listing/samples/people.js';
import { rules } from './rules.js';

const world = worldOf(container, 2000, 1);
const listings = Array.from({ length: 2000 }, (_, index) => listingOf(world, index + 1));

for (const { what, holds } of rules) {
  test(what, (t) => {
    t.deepEqual(
      listings.filter((listing) => !holds(listing, container)).map(({ number }) => number),
      [],
    );
  });
}

test('the same seed gives the same listings, whatever was made before', (t) => {
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
  t.is(hash(1, numbers), hash(1, numbers.toReversed()));
  t.not(hash(1, numbers), hash(2, numbers));
  t.not(hash(1, numbers), hash(1 + 2 ** 32, numbers));
});

test('the 200 listings of seed 1 are the ones that documentation and bug reports speak of', (t) => {
  t.is(
    createHash('sha256')
      .update(JSON.stringify(listings.slice(0, 200)))
      .digest('hex')
      .slice(0, 16),
    '001e1fac93f61e7d',
  );
});

test('every state of the model is there, and every kind of gap', (t) => {
  const states = new Set(listings.map(({ property }) => property.StandardStatus));
  t.deepEqual([...states].sort(), [...(container.entityTypes['Property']?.fields['StandardStatus']?.allowedValues ?? [])].sort());
  const gapless = ['ListingKey', 'ListPrice', 'BedroomsTotal', 'GeoLocation', 'PublicRemarks'].filter(
    (name) => !listings.some(({ property }) => cellOf(property, name) === null),
  );
  t.deepEqual(gapless, ['ListingKey']);
});

test('a listing has about ten photos and six rooms; modifications spread over years, with ties', (t) => {
  const average = (count: (listing: Listing) => number): number =>
    listings.reduce((sum, listing) => sum + count(listing), 0) / listings.length;
  t.true(Math.abs(average(({ media }) => media.length) - 10) < 1);
  t.true(Math.abs(average(({ rooms }) => rooms.length) - 6) < 1);
  const stamps = listings.map(({ property }) => String(property.ModificationTimestamp)).sort();
  t.true((stamps[0] ?? '') < '2024-02' && (stamps.at(-1) ?? '') > '2026-10');
  t.true(new Set(stamps).size < 1950);
});

test('a record has the properties of its table and no other, each short enough', (t) => {
  const people = { Office: [officeRow(1, 1, world.crowd)], Member: [agentRow(1, 1, world.crowd), officeMemberRow(1, 1, world.crowd)] };
  const made: { readonly [type: string]: readonly object[] } = {
    ...people,
    Property: listings.map(({ property }) => property),
    Media: listings.flatMap(({ media }) => media),
    PropertyRooms: listings.flatMap(({ rooms }) => rooms),
    OpenHouse: listings.flatMap(({ openHouses }) => openHouses),
  };
  for (const [type, rows] of Object.entries(made)) {
    const names = Object.keys(container.entityTypes[type]?.fields ?? {}).filter((name) => name !== 'OriginatingSystemName');
    t.deepEqual(
      rows.filter((row) => Object.keys(row).sort().join() !== names.toSorted().join()),
      [],
      type,
    );
    t.deepEqual([...new Set(rows.flatMap((row) => tooLong(type, row)))], [], type);
  }
});

test('every value of a list is in the Lookup resource', (t) => {
  const known = new Set(lookupRows(container).map(({ LookupName, LookupValue }) => `${String(LookupName)}: ${String(LookupValue)}`));
  const used = listings.flatMap(({ property, media, rooms, openHouses, history }) => [
    ...valuesOf('Property', property),
    ...[...media].flatMap((row) => valuesOf('Media', row)),
    ...rooms.flatMap((row) => valuesOf('PropertyRooms', row)),
    ...openHouses.flatMap((row) => valuesOf('OpenHouse', row)),
    ...history.flatMap((row) => valuesOf('HistoryTransactional', row)),
  ]);
  t.deepEqual(
    [...new Set(used)].filter((value) => !known.has(value)),
    [],
  );
  t.is(known.size, lookupRows(container).length);
});

test('each text that the model has as an example is found in the samples, as the documentation asks for it', (t) => {
  const samples: { readonly [type: string]: readonly object[] } = {
    Member: [1, 2, 3].map((number) => agentRow(1, number, world.crowd)),
    Office: [officeRow(1, 1, world.crowd)],
    Property: listings.map(({ property }) => property),
    Media: listings.flatMap(({ media }) => media),
    PropertyRooms: listings.flatMap(({ rooms }) => rooms),
    OpenHouse: listings.flatMap(({ openHouses }) => openHouses),
    Lookup: lookupRows(container),
  };
  const missing = Object.entries(samples).flatMap(([type, rows]) =>
    examplesOf(type)
      .filter(([name, example]) => !rows.some((row) => cellOf(row, name) === example))
      .map(([name, example]) => `${type}.${name}: ${example}`),
  );
  t.deepEqual(missing, []);
});

test('the listing of the examples is in their city and state, so that it can be changed', (t) => {
  const { ListingKey, City, StandardStatus } = Object.fromEntries(examplesOf('Property'));
  t.like(
    listings.map(({ property }) => property).find((row) => row.ListingKey === ListingKey),
    { City, StandardStatus },
  );
});

test('people are of the office that lists, and text has quotes, accents and line ends', (t) => {
  const offices = new Map(
    Array.from({ length: world.crowd.agents }, (_, index) => agentRow(1, index + 1, world.crowd)).map((row) => [
      row.MemberKey,
      row.OfficeKey,
    ]),
  );
  const houses = new Map(
    Array.from({ length: world.crowd.offices }, (_, index) => officeMemberRow(1, index + 1, world.crowd)).map((row) => [
      row.MemberKey,
      row.OfficeKey,
    ]),
  );
  t.deepEqual(
    listings.filter(
      ({ property: p }) => offices.get(p.ListAgentKey) === undefined || offices.get(p.ListAgentKey) !== houses.get(p.ListOfficeKey),
    ),
    [],
  );
  t.deepEqual(
    listings.filter(({ property: p }) => p.CoListAgentKey !== null && offices.get(p.CoListAgentKey) !== offices.get(p.ListAgentKey)),
    [],
  );
  const text = JSON.stringify(listings);
  t.deepEqual(
    ["O'Connor", 'Montréal', '\\"', '\\n', '🌷', "Coeur d'Alene"].filter((part) => !text.includes(part)),
    [],
  );
});

/** Of the listings in the order of their numbers, made in another. */
function hash(seed: number, order: readonly number[]): string {
  const made = new Map(order.map((number) => [number, JSON.stringify(listingOf(worldOf(container, 200, seed), number))]));
  const numbers = [...made.keys()].sort((one, other) => one - other);
  return createHash('sha256')
    .update(numbers.map((number) => made.get(number)).join('\n'))
    .digest('hex');
}

function examplesOf(type: string): readonly (readonly [string, string])[] {
  const document = JSON.parse(readFileSync('generated/metadata.json', 'utf8')) as { readonly [namespace: string]: object };
  const declared = Object.values(document)
    .flatMap((schema) => Object.entries(schema))
    .find(([name]) => name === type);
  return Object.entries((declared?.[1] ?? {}) as { readonly [name: string]: { readonly '@Core.Example'?: { readonly Value: unknown } } })
    .map(([name, property]) => [name, property['@Core.Example']?.Value] as const)
    .filter((each): each is readonly [string, string] => typeof each[1] === 'string');
}

function cellOf(row: object, name: string): CopyValue | undefined {
  return (row as { readonly [name: string]: CopyValue })[name];
}

function tooLong(type: string, row: object): readonly string[] {
  const fields = container.entityTypes[type]?.fields ?? {};
  return Object.entries(fields)
    .filter(([name, { maxLength }]) =>
      [cellOf(row, name)].flat().some((cell) => typeof cell === 'string' && maxLength !== undefined && [...cell].length > maxLength),
    )
    .map(([name]) => name);
}

function valuesOf(type: string, row: object): readonly string[] {
  return Object.entries(container.entityTypes[type]?.fields ?? {}).flatMap(([name, { lookup }]) =>
    lookup === undefined
      ? []
      : [cellOf(row, name)]
          .flat()
          .filter((cell) => cell !== null && cell !== undefined)
          .map((cell) => `${lookup}: ${String(cell)}`),
  );
}
