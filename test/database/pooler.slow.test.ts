import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { readConfig } from '../../runtime/config/config.js';
import { connect } from '../../runtime/database/connect.js';
import { adaptSession } from '../../runtime/database/pool.js';
import { withConnection } from '../../runtime/database/run.js';
import { inTransaction } from '../../runtime/database/transaction.js';
import type { Row } from '../../runtime/sql/statement.js';
import { openDatabase } from '../../runtime/tools/embedded/open.js';
import { startProcess, type ServeProcess } from '../operation/serve-process.js';
import { openSessions } from '../streaming/sessions.js';
import { patient } from '../support/database.js';
import { runGable } from '../support/run-command.js';
import { secret, startService, type TestService } from '../support/service.js';
import { until } from '../operation/until.js';
import { hasPgBouncer, preparedStatements, startPgBouncer } from './pgbouncer.js';

const whenInstalled = hasPgBouncer ? test.serial : test.serial.skip;
if (!hasPgBouncer) test('PgBouncer is not installed: the tests of poolers are skipped', (t) => t.pass());

// Its database is the one behind the poolers.
let service: TestService;
test.before(async () => {
  if (hasPgBouncer) service = await startService();
});
test.after.always(() => service?.stop());

const perTransaction = ['pool_mode = transaction', ...[preparedStatements(0) ?? []].flat()];
const withNames = preparedStatements(200);
const noNames = /does not support named prepared statements/;
const noDefaults = /every transaction sets its time limits .* ALTER ROLE "?\w+"? IN DATABASE "?\w+"? SET statement_timeout = '5000';/;

/** Ways to the database, with the faults that are found on them. */
const ways: readonly { readonly title: string; readonly settings: readonly string[] | undefined; readonly faults: readonly RegExp[] }[] = [
  { title: 'no pooler', settings: undefined, faults: [] },
  { title: 'a pooler in session mode', settings: ['pool_mode = session'], faults: [] },
  { title: 'a pooler in transaction mode', settings: perTransaction, faults: [noNames, noDefaults] },
  ...(withNames === undefined
    ? []
    : [{ title: 'one with prepared statements', settings: [...perTransaction, withNames], faults: [noDefaults] }]),
];

for (const { title, settings, faults } of ways) {
  whenInstalled(`the faults of ${title} are found`, async (t) => {
    const found = await faultsAt(settings === undefined ? service.databaseUrl : await startPooler(t, settings));
    t.is(found.length, faults.length);
    for (const [index, fault] of faults.entries()) t.regex(found[index] ?? '', fault);
  });
}

for (const { title, settings = [], faults } of ways.filter((way) => way.faults.length > 0)) {
  whenInstalled(`behind ${title}, concurrent requests succeed, no mode of planning is left, and the log has the faults`, async (t) => {
    const url = await startPooler(t, settings);
    const served = await startProcess([], { DATABASE_URL: url, GABLE_SECRET: secret, GABLE_LOG_REQUESTS: 'none' });
    t.teardown(async () => {
      served.child.kill('SIGTERM');
      await served.ended;
    });
    t.deepEqual([...(await statusesOf(served))], [200]);
    t.is(served.log().match(/"level":"warn"/g)?.length, faults.length);
    t.deepEqual(await runAt(url, "SELECT current_setting('plan_cache_mode')"), [['auto']]);
  });
}

whenInstalled('a pooler with two server connections that serve its clients in turns is in transaction mode', async (t) => {
  const url = await startPooler(t, [...perTransaction, 'server_round_robin = 1']);
  const sessions = openSessions(service.databaseUrl);
  t.teardown(sessions.close);
  const { release } = await sessions.hold('SELECT pg_advisory_xact_lock(1)');
  const both = [1, 2].map(() => runAt(url, 'SELECT pg_advisory_xact_lock_shared(1)'));
  await sessions.waitFor("wait_event = 'advisory'", 2);
  await release();
  await Promise.all(both);
  t.is((await faultsAt(url)).length, 2);
});

whenInstalled('time limits and formats hold on renewed connections, and other clients do not inherit them', async (t) => {
  const url = await startPooler(t, perTransaction);
  const { pool, stop } = await openDatabase(readConfig({ DATABASE_URL: url, GABLE_SECRET: secret, GABLE_STATEMENT_TIMEOUT: '700' }));
  t.teardown(stop);
  const settings =
    "SELECT current_setting('statement_timeout'), current_setting('lock_timeout'), current_setting('jit'), '-26:00'::interval";
  const own = (): Promise<readonly Row[]> => withConnection(pool, ({ run }) => run({ text: settings, bind: [] }));
  const expected = [['700ms', '2s', 'off', 'PT-26H']];
  await renewConnections(own);
  t.deepEqual(await own(), expected);
  t.deepEqual(
    await inTransaction(pool, async ({ run }) => [await run({ text: 'SELECT 1', bind: [] }), await run({ text: settings, bind: [] })]),
    [[['1']], expected],
  );
  const started = performance.now();
  await t.throwsAsync(
    withConnection(pool, ({ run }) => run({ text: 'SELECT pg_sleep(20)', bind: [] })),
    { code: '1508' },
  );
  t.true(performance.now() - started < 10_000);
  const other = connect(url, { poolSize: 1 });
  t.teardown(() => other.close());
  adaptSession(other, { isShared: true });
  t.deepEqual(await withConnection(other, ({ run }) => run({ text: settings, bind: [] })), [['0', '0', 'on', '-26:00:00']]);
});

whenInstalled('gable migrate refuses to run through it, leaves no lock, and takes another address', async (t) => {
  const url = await startPooler(t, perTransaction);
  const refused = await runGable(['migrate'], { DATABASE_URL: url, GABLE_SECRET: secret });
  t.is(refused.status, 2);
  t.is((await runGable(['migrate', 'status'], { DATABASE_URL: url, GABLE_SECRET: secret })).status, 0, 'which needs no session');
  t.regex(refused.stderr, /connection pooler in transaction mode.*set GABLE_MIGRATE_URL/);
  const locks =
    "SELECT mode FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
  t.deepEqual(await runAt(service.databaseUrl, locks), []);
  const applied = await runGable(['migrate'], { DATABASE_URL: url, GABLE_MIGRATE_URL: service.databaseUrl, GABLE_SECRET: secret });
  t.deepEqual([applied.status, applied.stdout], [0, 'Nothing to apply; the database is up to date.\n']);
});

// The last one, since the defaults stay.
whenInstalled('time limits that are defaults of the role outlast server connections, and are no fault', async (t) => {
  const url = await startPooler(t, perTransaction);
  const [, fault = ''] = await faultsAt(url);
  for (const command of fault.match(/ALTER ROLE [^;]*;/g) ?? []) await runAt(service.databaseUrl, command);
  await renewConnections(() => runAt(url, 'SELECT 1'));
  const found = await faultsAt(url);
  t.regex(found.join('\n'), noNames);
  t.is(found.length, 1);
  const pool = connect(url, { poolSize: 1, statementTimeout: 5_000 });
  t.teardown(() => pool.close());
  const limits = (): Promise<readonly Row[]> =>
    withConnection(pool, ({ run }) =>
      run({ text: "SELECT current_setting('statement_timeout'), current_setting('lock_timeout'), current_setting('jit')", bind: [] }),
    );
  t.deepEqual(await limits(), [['5s', '2s', 'off']]);
  await renewConnections(limits);
  t.deepEqual(await limits(), [['5s', '2s', 'off']], 'on a server connection that the client has not set up');
});

async function startPooler(t: ExecutionContext, settings: readonly string[]): Promise<string> {
  const pooler = await startPgBouncer(service.databaseUrl, settings);
  t.teardown(pooler.stop);
  return pooler.url;
}

async function faultsAt(url: string): Promise<readonly string[]> {
  const database = await openDatabase(readConfig({ DATABASE_URL: url, GABLE_SECRET: secret }));
  await database.stop();
  return database.reached.poolerFaults;
}

const reads = ["Property?$filter=City eq 'x'&$top=5", 'Member?$top=2', "Office?$filter=contains(OfficeName,'a')", 'Property?$expand=Media'];

// The statuses of requests of eight clients, which send each text often enough for it to be prepared.
async function statusesOf({ url }: ServeProcess): Promise<ReadonlySet<number>> {
  const headers = { Authorization: `Bearer ${await service.token('all')}` };
  const statuses = new Set<number>();
  const ask = async (client: number): Promise<void> => {
    for (let turn = 0; turn < 12; turn++) {
      const response = await fetch(`${url}/odata/${reads[(client + turn) % reads.length]}`, { headers });
      statuses.add(response.status);
      await response.text();
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, client) => ask(client)));
  return statuses;
}

// The pooler notices the end of a connection a moment later; a statement that it sends meanwhile fails.
async function renewConnections(use: () => Promise<unknown>): Promise<void> {
  await runAt(
    service.databaseUrl,
    'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await delay(200);
  await until(() =>
    use().then(
      () => true,
      () => false,
    ),
  );
}

async function runAt(url: string, text: string): Promise<readonly Row[]> {
  const pool = connect(url, { ...patient, poolSize: 1 });
  return withConnection(pool, ({ run }) => run({ text, bind: [] })).finally(() => pool.close());
}
