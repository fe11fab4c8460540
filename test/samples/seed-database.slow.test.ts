// Depends on PostgreSQL: DDL.

import test from 'ava';
import { container } from '../../generated/index.js';
import { connect } from '../../runtime/database/connect.js';
import { migrate } from '../../runtime/tools/migrations/migrate.js';
import { withConnection } from '../../runtime/database/run.js';
import { migrationsFolder } from '../../runtime/config/served-model.js';
import { barsOf, progressOf } from '../../runtime/tools/cli/progress.js';
import { seedDatabase } from '../../runtime/extensions/listing/samples/seed-database.js';
import { patient, testDatabase } from '../support/database.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';

const database = await testDatabase();
const pool = connect(database.url, { ...patient, poolSize: 2 });
await migrate(pool, migrationsFolder());

test.after.always(async () => {
  await pool.close();
  await database.drop();
});

const listings = 600;
let schema: readonly (string | null)[];

test.before(async () => {
  schema = await definitions();
});

const tables = [...Object.values(container.entityTypes).flatMap(({ table, events }) => (events === undefined ? [table] : [])), '#changes'];

test.serial('a seed that fails half-way leaves nothing', async (t) => {
  await t.throwsAsync(seedDatabase(pool, container, { listings, seed: 1, onProgress: fail }), { message: 'killed' });
  t.deepEqual(await column('select count(*) from "Property" union all select count(*) from "Member"'), ['0', '0']);
});

test.serial('indexes and foreign keys are those of the migrations after a failed seed and after one that ends', async (t) => {
  t.true(schema.length > 50);
  t.deepEqual(await definitions(), schema);
  await seedDatabase(pool, container, { listings: 1, seed: 1 });
  t.deepEqual(await definitions(), schema);
  await sequelizeOf(pool).query(`truncate ${tables.map((table) => `"${table}"`).join(', ')} restart identity`);
});

test.serial('a seed fills every table, and what it says it wrote is there', async (t) => {
  const told: number[] = [];
  const { rows } = await seedDatabase(pool, container, { listings, seed: 1, onProgress: (done) => told.push(done) });
  t.deepEqual(told, [500, 600]);
  t.is(rows.Property, listings);
  for (const [set, count] of Object.entries(rows)) {
    const table = set === 'EntityEvent' ? '#changes' : set;
    t.deepEqual(await column(`select count(*) from "${table}"`), [String(count)], set);
  }
});

// oxfmt-ignore
// Every row of the answer is a fault.
const faults: { readonly [what: string]: string } = {
  'a photo whose key is not its listing\'s': 'select "MediaKey" from "Media" m join "Property" p on p."#id" = m."#Property" where p."ListingKey" <> m."ResourceRecordKey"',
  'photos that are not counted': 'select "ListingKey" from "Property" p where "PhotosCount" <> (select count(*) from "Media" m where m."#Property" = p."#id")',
  'rooms of another listing': 'select "RoomKey" from "PropertyRooms" r join "Property" p on p."#id" = r."#Property" where p."ListingKey" <> r."ListingKey"',
  'a listing without the system it came from': 'select "ListingKey" from "Property" where "OriginatingSystemName" is distinct from \'Gable\'',
  'a number that is not the key\'s': 'select "ListingKey" from "Property" where regexp_replace("ListingKey", \'\\D\', \'\', \'g\') <> "#id"::text',
  'an event without a listing': 'select "#key" from "#changes" where "#set" = \'Property\' and not exists (select from "Property" where "#id"::text = regexp_replace("#key", \'\\D\', \'\', \'g\'))',
  'a photo without an event': 'select "MediaKey" from "Media" where not exists (select from "#changes" where "#set" = \'Media\' and "#key" = "MediaKey")',
  'a broker that does not exist': 'select "OfficeKey" from "Office" where "OfficeBrokerKey" not in (select "MemberKey" from "Member")',
};

for (const [what, text] of Object.entries(faults)) {
  test.serial(`the database has not ${what}`, async (t) => {
    t.deepEqual(await column(text), []);
  });
}

test.serial('the next record gets the next number', async (t) => {
  t.deepEqual(await column(`select nextval(pg_get_serial_sequence('"Property"', '#id'))`), [String(listings + 1)]);
});

test.serial('a second seed refuses and changes nothing; a reset writes the same bytes again', async (t) => {
  const before = await contentHash();
  await t.throwsAsync(seedDatabase(pool, container, { listings: 5, seed: 1 }), {
    name: 'ConfigError',
    message: /is not empty.*--reset/s,
  });
  t.deepEqual(await contentHash(), before);
  await seedDatabase(pool, container, { listings, seed: 1, reset: true });
  t.deepEqual(await contentHash(), before);
  await seedDatabase(pool, container, { listings, seed: 2, reset: true });
  t.notDeepEqual(await contentHash(), before);
});

test('progress is a bar on a terminal and a line for every tenth elsewhere', (t) => {
  t.is(shown(false), '20 of 40 listings\n40 of 40 listings\n');
  t.regex(shown(true), /^\r\[#\.{29}\] 1 of 40 listings\r.*\r\[#{30}\] 40 of 40 listings\n$/s);
});

test('works in a row have a bar each on a terminal, and nothing elsewhere', (t) => {
  t.is(bars(false), '');
  t.is(
    bars(true),
    `\r[###############...............] 1 of 2 files\r[${'#'.repeat(30)}] 2 of 2 files\n\r[##########....................] 1 of 3 records\n`,
  );
});

function bars(isTTY: boolean): string {
  let text = '';
  const { show, end } = barsOf({ isTTY, write: (part) => (text += part) });
  show('files', 1, 2);
  show('files', 2, 2);
  show('records', 1, 3);
  end();
  return text;
}

function fail(): never {
  throw new Error('killed');
}

function shown(isTTY: boolean): string {
  let text = '';
  const progress = progressOf({ isTTY, write: (part) => (text += part) }, { total: 40, what: 'listings' });
  for (const done of [1, 2, 20, 40]) progress.show(done);
  progress.end();
  return text;
}

async function column(text: string): Promise<readonly (string | null)[]> {
  const rows = await withConnection(pool, (connection) => connection.run({ text, bind: [] }));
  return rows.map((row) => row[0] ?? null);
}

async function contentHash(): Promise<readonly (string | null)[]> {
  const hashes = tables.map((table) => `select md5(string_agg((to_jsonb(t) - '#at')::text, E'\\n' order by "#id")) from "${table}" t`);
  return column(hashes.join(' union all '));
}

function definitions(): Promise<readonly (string | null)[]> {
  return column(`select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
    order by 1`);
}
