import { readdirSync } from 'node:fs';
import test from 'ava';
import { keyFieldOf } from '../../runtime/edm/index.js';
import { type EntityContainer } from '../../runtime/edm/entity-container.js';
import { type EntityType } from '../../runtime/edm/entity-type.js';
import { requiredFilter } from '../../runtime/tools/cli/introduce.js';
import { seedSamples } from '../../runtime/tools/samples/seed-samples.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

const models = readdirSync('test/toy').filter((name) => name.endsWith('.xml'));

// The models permit reading to one or the other, and no row rule hides anything from them.
const callers = { toy: { subject: 'toy', scopes: new Set(['toy', 'admin', 'all']) } };

for (const name of models) {
  test.serial(`every type of ${name} has samples, which its service reads`, async (t) => {
    const toy = await startToy(`test/toy/${name}`, callers);
    t.teardown(() => toy.stop());
    // A singleton that defaults fill was made by the migration.
    const made = new Set<string>();
    for (const singleton of singletonsOf(toy)) if ((await ask(toy, singleton)).status === 200) made.add(singleton);
    const { rows, refused } = await seedSamples(toy.pool, toy.container, 5);
    t.deepEqual(refused, []);
    const expected = Object.values(toy.container.entityTypes).filter(
      (type) => !type.abstract && type.events === undefined && !isElsewhere(type, toy.container) && !made.has(type.singleton ?? ''),
    );
    t.deepEqual(rows, Object.fromEntries(expected.map((type) => [keyOf(type), countOf(type, toy.container)])));
    for (const [set, type] of Object.entries(toy.container.entitySets)) {
      const answer = await ask(toy, `${encodeURIComponent(set)}?${requiredFilter(toy.container.entityTypes[type])}$count=true&$top=1`);
      const text = await answer.text();
      t.is(answer.status, 200, text);
      // The changes of the others are its records.
      if (toy.container.entityTypes[type]?.events !== undefined) continue;
      t.is(
        (JSON.parse(text) as Collection)['@odata.count'],
        within(type, toy.container).reduce((sum, key) => sum + (rows[key] ?? 0), 0),
        set,
      );
    }
    for (const singleton of singletonsOf(toy)) t.is((await ask(toy, singleton)).status, 200, singleton);
    t.deepEqual(await seedSamples(toy.pool, toy.container, 5), { rows: {}, refused: [] });
  });
}

test.serial('samples refer to records of the set that the binding names', async (t) => {
  const sets = await startToy('test/toy/sets.xml', callers);
  t.teardown(() => sets.stop());
  await seedSamples(sets.pool, sets.container, 2);
  t.deepEqual(await idsOf(sets, 'People?$expand=Home,Boss', 'Home', 'Boss'), [
    "Towns('1') -",
    "Towns('2') People(1)",
    "Towns('2') People(2)",
    "Towns('2') People(3)",
  ]);
  t.deepEqual(await idsOf(sets, 'Strangers?$expand=Home,Boss', 'Home', 'Boss'), [
    "Places('1') -",
    "Places('2') Strangers(1)",
    "Places('2') Strangers(2)",
    "Places('2') Strangers(3)",
  ]);
});

test.serial('samples of contained types are beneath every place that contains them', async (t) => {
  const depot = await startToy('test/toy/depot.xml', callers);
  t.teardown(() => depot.stop());
  await seedSamples(depot.pool, depot.container, 5);
  t.deepEqual(await idsOf(depot, 'People?$expand=Trips', 'Trips'), [
    "People('1')/Trips(1)",
    "People('2')/Trips(4)",
    "People('3')/Trips(5)",
    '',
    '',
  ]);
  t.deepEqual(await idsOf(depot, 'Folders?$expand=Folders', 'Folders'), [
    "Folders('1')/Folders('1')",
    "Folders('2')/Folders('3')",
    "Folders('3')/Folders('5')",
    '',
    '',
  ]);
  t.deepEqual(await idsOf(depot, "Folders('1')/Folders?$expand=Folders", 'Folders'), ["Folders('1')/Folders('1')/Folders('2')"]);
  t.deepEqual(await idsOf(depot, 'Me/Trips'), ['Me/Trips(2)']);
  t.deepEqual(await idsOf(depot, 'Guest/Trips'), ['Guest/Trips(3)']);
});

test.serial('singletons have one sample, or the record that the migration has made, and what they contain has samples', async (t) => {
  const shop = await startToy('test/samples/counter.xml', callers);
  t.teardown(() => shop.stop());
  t.deepEqual(await seedSamples(shop.pool, shop.container, 2), {
    rows: { Coin: 2, Keeper: 1, Owner: 0, Desk: 1, Secretaire: 0 },
    refused: [],
  });
  t.deepEqual(await idsOf(shop, 'Counter/Coins'), ['Counter/Coins(1)', 'Counter/Coins(2)']);
});

test.serial('a singleton, which the migration has made, does not keep the sets of a model empty', async (t) => {
  const kiosk = await startToy('test/operations/kiosk.xml');
  t.teardown(() => kiosk.stop());
  const { rows } = await seedSamples(kiosk.pool, kiosk.container, 5);
  t.like(rows, { Shelf: 5, Item: 5, Gift: 5 });
  t.false('Till' in rows);
});

test.serial('the set of events has the changes of the others, and no samples', async (t) => {
  const shops = await startToy('test/changes/shops.xml', callers);
  t.teardown(() => shops.stop());
  const { rows, refused } = await seedSamples(shops.pool, shops.container, 2);
  t.deepEqual([refused, 'Change' in rows], [[], false]);
  t.true(Object.keys(rows).length > 1);
});

test.serial('there are as many samples as a key has values, and values within values end', async (t) => {
  const school = await startToy('test/samples/grades.xml', callers);
  t.teardown(() => school.stop());
  t.deepEqual(await seedSamples(school.pool, school.container, 100), { rows: { Grade: 10, Remark: 100, Room: 70 }, refused: [] });
});

test.serial('samples have the required values that only an extension would compute', async (t) => {
  const reports = await startToy('test/samples/reports.xml', callers);
  t.teardown(() => reports.stop());
  t.deepEqual(await seedSamples(reports.pool, reports.container, 2), {
    rows: { Run: 2, Balance: 2, Order: 2, Draft: 2, Note: 2 },
    refused: [],
  });
  t.deepEqual(await idsOf(reports, 'Runs'), ["Runs('1')", "Runs('2')"]);
  t.deepEqual(await idsOf(reports, 'Balances'), ["Balances(Company='1',IsActive=true)", "Balances(Company='2',IsActive=false)"]);
  // The service generates the number of an order.
  t.deepEqual(await idsOf(reports, 'Orders'), ["Orders('1')", "Orders('2')"]);
  // The GUIDs of the examples, where the service would generate random ones.
  const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  t.deepEqual(await idsOf(reports, 'Drafts'), [`Drafts(Id=${one},IsActive=true)`, `Drafts(Id=${two},IsActive=false)`]);
  t.deepEqual(await idsOf(reports, 'Notes'), [`Notes(${one})`, `Notes(${two})`]);
});

test.serial('samples whose references share a property refer to records that exist', async (t) => {
  const travel = await startToy('test/samples/flights.xml', callers);
  t.teardown(() => travel.stop());
  t.deepEqual(await seedSamples(travel.pool, travel.container, 2), { rows: { Carrier: 2, Flight: 2, Booking: 2 }, refused: [] });
  t.deepEqual(await idsOf(travel, 'Bookings?$expand=Carrier,Flight', 'Carrier', 'Flight'), [
    "Carriers('1') Flights(CarrierId='1',Day=2025-01-01)",
    "Carriers('2') Flights(CarrierId='2',Day=2025-01-02)",
  ]);
});

// A type that has records in some place has none in no place.
function isElsewhere(type: EntityType, { entityTypes }: EntityContainer): boolean {
  return !isPlaced(type) && Object.values(entityTypes).some((other) => other.qualifiedName === type.qualifiedName && isPlaced(other));
}

function isPlaced({ entitySet, singleton, contained }: EntityType): boolean {
  return (entitySet ?? singleton ?? contained) !== undefined;
}

// The one record of a singleton is of the type that it declares, where there can be such.
function countOf(type: EntityType, container: EntityContainer): number {
  const declared = Object.values(container.entityTypes).find(
    ({ singleton, qualifiedName }) => singleton !== undefined && singleton === type.singleton && qualifiedName === type.setType,
  );
  if (declared && !declared.abstract) return 0;
  return type.singleton === undefined && !isOfSingleton(type, container) ? most(type) : 1;
}

// An entity contained in a singleton exists once.
function isOfSingleton(type: EntityType, { entityTypes }: EntityContainer): boolean {
  const owners = Object.values(entityTypes).filter(({ navigation }) =>
    Object.values(navigation).some(({ contains, target }) => contains && target === keyOf(type)),
  );
  return type.contained === 'one' && owners.every(({ singleton }) => singleton !== undefined);
}

// A key that is an enumeration or a Boolean has no more values than that.
function most(type: EntityType): number {
  const values = (name: string): number =>
    keyFieldOf(type, name)?.type === 'Edm.Boolean' ? 2 : (keyFieldOf(type, name)?.enumeration?.members.length ?? 5);
  return Math.min(5, type.key.length === 0 ? 5 : type.key.map(values).reduce((room, some) => room * some));
}

interface Collection {
  readonly '@odata.count': number;
  readonly value: readonly Readonly<Record<string, unknown>>[];
}

function singletonsOf({ container }: ToyService): readonly string[] {
  return Object.keys(container.singletons ?? {});
}

function ask({ root }: ToyService, path: string): Promise<Response> {
  return fetch(`${root}/${path}`, { headers: { Authorization: 'Bearer toy', Accept: 'application/json;odata.metadata=full' } });
}

// The ids of the entities, or of their related ones.
async function idsOf(toy: ToyService, path: string, ...names: readonly string[]): Promise<readonly string[]> {
  const { value } = (await (await ask(toy, path)).json()) as Collection;
  const idOf = (record: unknown): string =>
    record === null
      ? '-'
      : Array.isArray(record)
        ? record.map(idOf).join()
        : (record as { readonly '@odata.id': string })['@odata.id'].replace(`${toy.root}/`, '');
  return value.map((record) => (names.length === 0 ? idOf(record) : names.map((name) => idOf(record[name])).join(' ')));
}

// The name in the container.
function keyOf({ name, place = '' }: EntityType): string {
  return `${name}${place}`;
}

// The types whose records are in the set of a type.
function within(name: string, { entityTypes }: EntityContainer): readonly string[] {
  const set = entityTypes[name];
  return Object.values(entityTypes)
    .filter((type) => type === set || (type.table === set?.table && type.baseTypes?.includes(set.qualifiedName)))
    .map(keyOf);
}
