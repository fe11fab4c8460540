// Depends on PostgreSQL: SQL.

import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { keepLog, noteHorizon, readFigures, rowsOfRun } from '../../runtime/features/changes/keep-log.js';
import { readLogState } from '../../runtime/features/changes/log-state.js';
import { createPooledStore } from '../../runtime/store/pooled-store.js';
import { startService } from '../support/service.js';
import { patient } from '../support/database.js';

// One that reads only does not keep the log itself, beside the tests.
const service = await startService({ GABLE_READ_ONLY: 'true' });
const pool = connect(service.databaseUrl, { ...patient, poolSize: 2 });
const store = createPooledStore(pool);
test.after.always(async () => {
  await pool.close();
  await service.stop();
});

const run = (text: string): Promise<readonly (readonly (string | null)[])[]> =>
  withConnection(pool, (connection) => connection.run({ text, bind: [] }));

// A row of the log: the key, the operation, the hours since, and the values before.
const row = ([key, operation, hours, before]: readonly [string, string, number, string?]): string =>
  `('Property', '${key}', '${operation}', now() - interval '${hours} hours', ${before === undefined ? 'null' : `'${before}'::jsonb`})`;

async function fill(rows: readonly Parameters<typeof row>[0][]): Promise<void> {
  await run('truncate "#changes" restart identity');
  await run('update "#change_state" set "#floor" = 0, "#merged" = 0, "#swept" = 0');
  await run(`insert into "#changes" ("#set", "#key", "#operation", "#at", "#before") values ${rows.map(row).join(', ')}`);
}

const kept = async (): Promise<string> => (await run('select "#id" from "#changes" order by 1')).flat().join(' ');
const hours = { superseded: 1, deletions: 168 };

test.serial('rows before a later one of their record go after an hour, the last of a living record stays', async (t) => {
  await fill([
    ['a', 'c', 500],
    ['a', 'u', 400],
    ['b', 'c', 400],
    ['a', 'u', 2],
    ['a', 'u', 0],
    ['c', 'c', 0],
  ]);
  while (await keepLog(store, hours));
  t.is(await kept(), '3 4 5 6');
});

test.serial('deletions go after a week, and the floor is raised before they go', async (t) => {
  await fill([
    ['a', 'c', 500],
    ['b', 'd', 400],
    ['c', 'd', 100],
  ]);
  t.true(await keepLog(store, hours));
  t.is(await kept(), '1 2 3');
  t.is((await withConnection(pool, readLogState)).floor, '2');
  while (await keepLog(store, hours));
  t.is(await kept(), '1 3');
});

test.serial('rows with other values before the change stay until they are old, so that removals are reported', async (t) => {
  await fill([
    ['a', 'u', 50, '{"Owner":"M"}'],
    ['a', 'u', 40, '{"Owner":"N"}'],
    ['a', 'u', 30, '{"Owner":"N"}'],
  ]);
  while (await keepLog(store, hours));
  t.is(await kept(), '1 3');
  await run(`update "#changes" set "#at" = now() - interval '400 hours'`);
  while (await keepLog(store, hours));
  t.is(await kept(), '3');
});

// Pairs of the rows of a run would be 12 million for each of these records.
test.serial('the rows of a record that changes all the time go in a few runs', async (t) => {
  await fill([['a', 'c', 500]]);
  const befores = { a: 'null', b: `'{"Owner":"M"}'`, c: `jsonb_build_object('Owner', n % 3)`, d: `jsonb_build_object('Owner', n)` };
  for (const [key, before] of Object.entries(befores))
    await run(
      `insert into "#changes" ("#set", "#key", "#operation", "#at", "#before") select 'Property', '${key}', 'u', now() - interval '2 hours', ${before}::jsonb from generate_series(1, ${2 * rowsOfRun}) n`,
    );
  let runs = 0;
  while (await keepLog(store, hours)) runs += 1;
  t.true(runs <= 10, `${runs} runs`);
  t.deepEqual(await run('select "#key", count(*) from "#changes" group by 1 order by 1'), [
    ['a', '1'],
    ['b', '1'],
    ['c', '3'],
    ['d', String(2 * rowsOfRun)],
  ]);
});

test.serial('a process that finds another one at it leaves it alone', async (t) => {
  await fill([
    ['a', 'c', 500],
    ['a', 'u', 400],
  ]);
  const results = await Promise.all([keepLog(store, hours), keepLog(store, hours), keepLog(store, hours)]);
  t.true(results.includes(true));
  t.is(await kept(), '2');
});

test.serial('a link from below the floor is outdated, and says where to start again', async (t) => {
  const headers = { Authorization: `Bearer ${await service.token('all')}`, Prefer: 'track-changes' };
  const first = (await (await fetch(`${service.root}/Office?$select=OfficeKey`, { headers })).json()) as { '@odata.deltaLink': string };
  const link = first['@odata.deltaLink'];
  t.is((await fetch(link, { headers })).status, 200);
  await run('update "#change_state" set "#floor" = 1000');
  const stale = await fetch(link, { headers });
  t.is(stale.status, 410);
  t.is(stale.headers.get('location'), `${service.root}/Office?$select=OfficeKey`);
  t.regex(await stale.text(), /"1045".*no longer kept/);
});

test.serial('the horizon and the timeline are noted for standbys, and there are figures for metrics', async (t) => {
  await fill([
    ['a', 'c', 2],
    ['b', 'c', 0],
  ]);
  await noteHorizon(store);
  const isNoted = `"#timeline" ~ concat('^', substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), '-[0-9a-f]{16}$')`;
  t.deepEqual(await run(`select "#horizon", ${isNoted} from "#change_state"`), [['2', 't']]);
  const { bytes, age, lag } = await withConnection(pool, readFigures);
  t.true(bytes > 8_000 && age > 7_000 && age < 7_300);
  t.is(lag, 0);
});
