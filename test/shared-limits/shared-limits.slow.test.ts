// Depends on PostgreSQL: SQL.
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { readConfig } from '../../runtime/config/config.js';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { failureReport, sharedCounts } from '../../runtime/features/shared-limits/shared-counts.js';
import { serve } from '../../runtime/main.js';
import { secret, startService } from '../support/service.js';
import { patient } from '../support/database.js';

test('processes count each request once, in the order of its arrival, and begin anew when a window ends', async (t) => {
  const { databaseUrl, stop } = await startService();
  const pools = [connect(databaseUrl, patient), connect(databaseUrl, patient)] as const;
  t.teardown(async () => {
    await Promise.all(pools.map((pool) => pool.close()));
    await stop();
  });
  const run = (text: string) => withConnection(pools[0], (connection) => connection.run({ text, bind: [] }));
  const window = 60_000;
  const counts = pools.map((pool) => sharedCounts(pool, window, 60_000));
  const addTo = async (key: string): Promise<readonly { readonly totalHits: number; readonly resetTime: Date }[]> =>
    Promise.all(counts.flatMap(({ add }) => Array.from({ length: 20 }, () => add(key))));
  const [first] = await Promise.all([addTo('a'), addTo('b')]);
  const hits = first.map(({ totalHits }) => totalHits);
  t.deepEqual(
    [...hits].sort((a, b) => a - b),
    hits.map((_, index) => index + 1),
  );
  for (const half of [hits.slice(0, 20), hits.slice(20)])
    t.deepEqual(
      [...half].sort((a, b) => a - b),
      half,
    );
  t.true(first.every(({ resetTime }) => resetTime.getTime() - Date.now() <= window));
  await run('update gable_limit set ends_at = now()');
  t.is((await counts[0]?.add('a'))?.totalHits, 1);
  // The other key's window has ended too, and is forgotten by a process whose own window has passed.
  const brief = sharedCounts(pools[0], 1, 60_000);
  await delay(10);
  await brief.add('c');
  t.deepEqual(await run('select key from gable_limit order by key'), [['a'], ['c']]);
  // As after the server's clock was set back by an hour.
  await run(`update gable_limit set ends_at = ends_at + interval '1 hour'`);
  t.is((await counts[0]?.add('a'))?.totalHits, 1);
});

test('two processes share a limit, and keep one each while the database does not count', async (t) => {
  const { databaseUrl, token, stop } = await startService();
  const pools = [connect(databaseUrl, patient), connect(databaseUrl, patient)] as const;
  const config = readConfig({
    PORT: '0',
    GABLE_SECRET: secret,
    GABLE_WEBHOOKS: 'false',
    GABLE_LOG_LEVEL: 'error',
    GABLE_REQUESTS_PER_MINUTE: '10',
    GABLE_SHARED_LIMITS: 'true',
    DATABASE_URL: databaseUrl,
  });
  const services = await Promise.all(pools.map((pool) => serve(config, pool)));
  t.teardown(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all(pools.map((pool) => pool.close()));
    await stop();
  });
  const statuses = async (name: string): Promise<readonly number[]> => {
    const headers = { Authorization: `Bearer ${await token(name)}` };
    const asked = services.flatMap(({ url }) => Array.from({ length: 12 }, () => fetch(`${url}/odata/Member?$top=1`, { headers })));
    return (await Promise.all(asked)).map(({ status }) => status);
  };
  // A first request of another caller opens the connections of each process, which takes a busy machine longer than a count may.
  const other = { Authorization: `Bearer ${await token('read')}` };
  for (const { url } of services) await fetch(`${url}/odata/Member?$top=1`, { headers: other });
  const answered = async (name: string): Promise<{ readonly granted: number; readonly unshared: number }> => {
    const before = await unsharedBy(services);
    const granted = (await statuses(name)).filter((status) => status === 200).length;
    return { granted, unshared: (await unsharedBy(services)) - before };
  };
  // Where the machine held up a count for too long, another caller's requests are counted.
  let shared = await answered('all');
  for (const name of ['write', 'hooks']) if (shared.unshared > 0) shared = await answered(name);
  t.deepEqual(shared, { granted: 10, unshared: 0 });
  await withConnection(pools[0], ({ run }) => run({ text: 'drop table gable_limit', bind: [] }));
  t.deepEqual(await answered('admin'), { granted: 20, unshared: 24 });
});

async function unsharedBy(services: readonly { readonly url: string }[]): Promise<number> {
  const texts = await Promise.all(services.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  return texts.reduce((sum, text) => sum + Number(/^gable_unshared_limits_total (\d+)$/m.exec(text)?.[1] ?? 0), 0);
}

test('the log is warned once a minute of what stays, such as a missing right, and not of a slow database', async (t) => {
  const { databaseUrl, stop } = await startService();
  const pool = connect(databaseUrl, { ...patient, poolSize: 1 });
  t.teardown(async () => {
    await pool.close();
    await stop();
  });
  const told: (readonly [level: string, reason: string])[] = [];
  const report = failureReport((level, { failure }: { failure?: Error }) => told.push([level, String(failure?.message)]));
  await sharedCounts(pool, 60_000, 0).add('a').catch(report);
  // In the session of the only connection, as a role with no right on the table.
  await withConnection(pool, ({ run }) => run({ text: 'set role pg_monitor', bind: [] }));
  const counts = sharedCounts(pool, 60_000, 60_000);
  for (const key of ['a', 'b']) await counts.add(key).catch(report);
  t.deepEqual(told, [
    ['debug', 'The database did not count a request in time.'],
    ['warn', 'permission denied for table gable_limit'],
    ['debug', 'permission denied for table gable_limit'],
  ]);
});
