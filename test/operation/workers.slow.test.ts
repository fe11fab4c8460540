import { spawnSync } from 'node:child_process';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { secret, startService } from '../support/service.js';
import { openSessions } from '../streaming/sessions.js';
import { patient, read, requests, type Answer } from './patient-client.js';
import { startProcess } from './serve-process.js';
import { until } from './until.js';

test('workers share a port, count together, are replaced when they die, and end together', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const headers = { Authorization: `Bearer ${await service.token('read')}`, Connection: 'close' };
  const sessions = openSessions(service.databaseUrl);
  await sessions.rows(`insert into gable_migration_step values ('9999-newer.sql', 1, '', null, true)`);
  await sessions.close();
  const served = await startProcess(['--workers', '2'], {
    GABLE_SECRET: secret,
    DATABASE_URL: service.databaseUrl,
    GABLE_LOG_REQUESTS: 'all',
  });
  t.teardown(() => served.child.kill('SIGKILL'));
  const ask = (): Promise<Response> => fetch(`${served.url}/odata/Office?$top=1`, { headers, signal: AbortSignal.timeout(10_000) });
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await ask()).status));
  t.deepEqual(new Set(statuses), new Set([200]));
  t.is(served.log().split('9999-newer.sql').length - 1, 1, 'one reports what all workers find');
  const workers = pids(served.log());
  t.is(workers.size, 2, 'both have answered');
  const metrics = await (await fetch(`${served.url}/metrics`)).text();
  t.regex(metrics, /gable_http_request_duration_seconds_count\{method="GET",resource="Office",status="200"\} 20\b/);

  const [victim = 0] = workers;
  process.kill(victim, 'SIGKILL');
  // A connection that was on its way to the victim breaks, or is never answered: Node's primary keeps what it has handed
  // over and was not told of. The others are served, and soon by a third process too.
  await until(async () => {
    const answered = await ask().then(
      ({ status }) => status === 200,
      () => false,
    );
    return answered && pids(served.log()).size === 3;
  });
  t.true(served.log().includes(`"worker":${victim},"code":null,"signal":"SIGKILL","msg":"a worker has ended and is replaced"`));
  served.child.kill('SIGTERM');
  t.is(await served.ended, 0);
  await t.throwsAsync(ask());
});

const waiting = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

// As systemd sends it, and as a terminal that is closed.
for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  test(`two hundred requests under way end, though ${signal} reaches every process`, async (t) => {
    const service = await startService();
    const sessions = openSessions(service.databaseUrl);
    t.teardown(async () => {
      await sessions.close();
      await service.stop();
    });
    const served = await startProcess(['--workers', '2'], { ...patient, DATABASE_URL: service.databaseUrl }, { detached: true });
    t.teardown(() => served.child.kill('SIGKILL'));
    const agent = new Agent({ keepAlive: true, maxSockets: requests });
    const authorization = `Bearer ${await service.token('read')}`;
    const ask = (): Promise<Answer> => read(`${served.url}/odata/Office?$top=1`, agent, authorization);
    t.is((await ask()).status, 200);
    const { release } = await sessions.hold('lock table "Office" in access exclusive mode');
    const underWay = Array.from({ length: requests }, ask);
    // The connections of a pool wait for the table, soon those of the other too, and the other requests for them.
    await until(async () => Number((await sessions.rows(waiting))[0]?.[0]) >= 10);
    await delay(2_000);
    process.kill(-(served.child.pid ?? 0), signal);
    await delay(500);
    await release();
    const answers = await Promise.all(underWay);
    t.deepEqual(
      answers.filter(({ status, whole, connection }) => status !== 200 || !whole || connection !== 'close'),
      [],
    );
    t.is(await served.ended, 0);
    agent.destroy();
  });

test('a worker that dies while it waits for the metrics of all takes nobody along', (t) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/test/operation/dying-worker.js'], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  t.is(stdout, 'the worker has ended\nthe primary goes on\n', stderr);
  t.is(status, 0);
});

test('metrics lack a worker that dies before it reports its own, and one that has not started', (t) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/test/operation/dying-peer.js'], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  t.is(stdout, '# HELP seen Seen\n# TYPE seen counter\nseen 2\n', stderr);
  t.is(status, 0);
});

test('a worker that cannot start ends the command', async (t) => {
  const failure = await t.throwsAsync(
    startProcess(['--workers', '2'], {
      GABLE_SECRET: secret,
      GABLE_START_TIMEOUT: '0',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    }),
  );
  t.regex(failure.message, /ended with 1: .*cannot be used/s);
});

function pids(log: string): ReadonlySet<number> {
  return new Set(
    log
      .split('\n')
      .filter((line) => line.includes('"path":"/Office"'))
      .map((line) => (JSON.parse(line) as { readonly pid: number }).pid),
  );
}
