import test from 'ava';
import { secret, startService } from '../service.js';
import { startProcess } from './serve-process.js';
import { until } from './until.js';

test('workers share a port, count together, are replaced when they die, and end together', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const headers = { Authorization: `Bearer ${await service.token('read')}`, Connection: 'close' };
  const served = await startProcess(['--workers', '2'], { GABLE_SECRET: secret, DATABASE_URL: service.databaseUrl, GABLE_LOG_REQUESTS: 'all' });
  t.teardown(() => served.child.kill('SIGKILL'));
  const ask = (): Promise<Response> => fetch(`${served.url}/odata/Office?$top=1`, { headers });
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await ask()).status));
  t.deepEqual(new Set(statuses), new Set([200]));
  const workers = pids(served.log());
  t.is(workers.size, 2, 'both have answered');
  const metrics = await (await fetch(`${served.url}/metrics`)).text();
  t.regex(metrics, /gable_http_request_duration_seconds_count\{method="GET",resource="Office",status="200"\} 20\b/);

  const [victim = 0] = workers;
  process.kill(victim, 'SIGKILL');
  // A connection that was on its way to the victim breaks; the others are served, and soon by a third process too.
  await until(async () => {
    const answered = await ask().then(({ status }) => status === 200, () => false);
    return answered && pids(served.log()).size === 3;
  });
  served.child.kill('SIGTERM');
  t.is(await served.ended, 0);
  await t.throwsAsync(ask());
});

test('a worker that cannot start ends the command', async (t) => {
  const failure = await t.throwsAsync(startProcess(['--workers', '2'], { GABLE_SECRET: secret, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }));
  t.regex(failure.message, /ended with 1: .*cannot be used/s);
});

function pids(log: string): ReadonlySet<number> {
  return new Set(log.split('\n').filter((line) => line.includes('"path":"/Office"')).map((line) => (JSON.parse(line) as { readonly pid: number }).pid));
}
