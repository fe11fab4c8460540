// Runs every night: it waits for loads to build up.

import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createGate } from '../../runtime/http/gate.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { until } from './until.js';
import { codeOf } from '../support/error-code.js';
import { startService, type TestService } from '../support/service.js';
import { sendRaw } from '../streaming/raw-client.js';
import { openSessions, type Sessions } from '../streaming/sessions.js';

// A service, and its sessions seen from the side, until the test ends.
async function watched(
  t: ExecutionContext,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly service: TestService; readonly sessions: Sessions }> {
  const service = await startService({ ...settings, GABLE_LOG_LEVEL: 'silent' });
  const sessions = openSessions(service.databaseUrl);
  t.teardown(async () => {
    await sessions.close();
    await service.stop();
  });
  return { service, sessions };
}

test('more requests under way than the limit are 503 at once, and those under way are answered', async (t) => {
  const { service, sessions } = await watched(t, {
    GABLE_MAX_REQUESTS: '2',
    GABLE_LOCK_TIMEOUT: '60000',
    GABLE_STATEMENT_TIMEOUT: '60000',
  });
  const headers = { Authorization: `Bearer ${await service.token('all')}` };
  const get = (path: string): Promise<Response> => fetch(`${service.root}${path}`, { headers });
  const { release } = await sessions.hold('lock table "Media"');
  const held = [get('/Media'), get('/Media?$top=1')];
  await sessions.waitFor("wait_event_type = 'Lock'", 2);
  const refused = await get('/Office');
  t.deepEqual([refused.status, refused.headers.get('retry-after'), await codeOf(refused)], [503, '1', '1506']);
  t.is((await fetch(service.root.replace('/odata', '/health/live'))).status, 200, 'an operator still gets an answer');
  await release();
  t.deepEqual(
    (await Promise.all(held)).map(({ status }) => status),
    [200, 200],
  );
  t.is((await get('/Office')).status, 200);
});

test('while all connections are taken, what needs one is 503 in time, and everything else is answered as ever', async (t) => {
  const { service, sessions } = await watched(t, {
    GABLE_POOL_SIZE: '4',
    GABLE_ACQUIRE_TIMEOUT: '10000',
    GABLE_MAX_REQUESTS: '1000',
    GABLE_LOCK_TIMEOUT: '60000',
    GABLE_STATEMENT_TIMEOUT: '60000',
  });
  const headers = { Authorization: `Bearer ${await service.token('all')}` };
  const get = (path: string): Promise<Response> => fetch(`${service.root}${path}`, { headers });
  const outside = (path: string): Promise<Response> => fetch(service.root.replace('/odata', path));
  const { release } = await sessions.hold('lock table "Media"');
  const held = Array.from({ length: 4 }, () => get('/Media'));
  await sessions.waitFor("wait_event_type = 'Lock'", 4);
  const begun = performance.now();
  const refused = Promise.all(Array.from({ length: 200 }, () => get('/Office')));
  await until(async () => (await (await outside('/metrics')).text()).includes('gable_database_connections{state="waiting"} 200'));
  t.deepEqual(
    [(await get('/Office?$top=x')).status, (await get('/$metadata')).status, (await outside('/health/live')).status],
    [400, 200, 200],
  );
  const ready = await outside('/health/ready');
  t.deepEqual([ready.status, await ready.json()], [503, { status: 'down', database: 'busy', migrations: 'unknown', draining: false }]);
  t.true(performance.now() - begun < 10_000, 'all of that before the first one has waited long enough');
  t.deepEqual([...new Set((await refused).map((response) => `${response.status} ${response.headers.get('retry-after')}`))], ['503 1']);
  await release();
  t.deepEqual(
    (await Promise.all(held)).map(({ status }) => status),
    [200, 200, 200, 200],
  );
  t.is((await get('/Office')).status, 200);
  // The keeping of the change log waited too, and uses a connection for a moment.
  const free = /state="using"\} 0\n.*state="available"\} \d\n.*state="waiting"\} 0\n/;
  await t.notThrowsAsync(until(async () => free.test(await (await outside('/metrics')).text())));
});

test('a statement that takes too long is ended, and its connection serves the next request', async (t) => {
  const { service, sessions } = await watched(t, { GABLE_POOL_SIZE: '1', GABLE_STATEMENT_TIMEOUT: '500', GABLE_LOCK_TIMEOUT: '60000' });
  const headers = { Authorization: `Bearer ${await service.token('write')}`, 'Content-Type': 'application/json' };
  const { release } = await sessions.hold('lock table "Property"');
  const requests: readonly RequestInit[] = [
    { method: 'GET' },
    { method: 'PATCH', body: '{"ChangedByMemberKey":"M1","City":"x"}' },
    { method: 'DELETE' },
  ];
  for (const request of requests) {
    const response = await fetch(`${service.root}/Property('3')`, { ...request, headers });
    t.deepEqual(
      [request.method, response.status, response.headers.get('retry-after'), await codeOf(response)],
      [request.method, 503, '1', '1508'],
    );
    await sessions.waitFor("wait_event_type = 'Lock'", 0);
  }
  await release();
  t.is((await fetch(`${service.root}/Property('3')`, { headers })).status, 200);
});

test('clients that take nothing of their large pages leave connections to others', async (t) => {
  const { service, sessions } = await watched(t, {
    GABLE_LARGE_PAGES: '2',
    GABLE_POOL_SIZE: '3',
    GABLE_ACQUIRE_TIMEOUT: '5000',
    GABLE_STATEMENT_TIMEOUT: '60000',
  });
  // More bytes than all the buffers between a client and the database hold together.
  await sessions.rows(`insert into "Media" ("#id", "MediaKey", "ResourceName", "ResourceRecordKey", "#Property", "MediaURL", "ModificationTimestamp")
    select 1000 + i, 'large-' || i, 'Property', '3', 3, 'https://' || repeat('x', 4000), '2026-03-01T09:00:00Z' from generate_series(1, 10000) i`);
  const token = await service.token('all');
  const get = (path: string): Promise<Response> => fetch(`${service.root}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const stalled = await Promise.all([1, 2].map(() => sendRaw('GET', `${service.root}/Media?$top=10000`, token)));
  await Promise.all(stalled.map(({ begun }) => begun));
  await sessions.waitFor("state = 'active' and wait_event = 'ClientWrite'", 2, 5);
  const refused = await get('/Media?$top=10000');
  t.deepEqual([refused.status, refused.headers.get('retry-after'), await codeOf(refused)], [503, '1', '1505']);
  const small = await get('/Media?$top=10');
  t.is(small.status, 200, 'a small page needs no place');
  await small.arrayBuffer();
  const third = get('/Media?$top=10000');
  await delay(100);
  stalled[0]?.socket.destroy();
  const answer = await third;
  t.is(answer.status, 200, 'one that waits gets the place of one that ends');
  t.is(((await answer.json()) as { readonly value: readonly unknown[] }).value.length, 10_000);
  t.true((await stalled[1]?.rest())?.whole);
});

test('a gate lets through in the order of arrival, and a failure gives its place back', async (t) => {
  const gate = createGate(1, 200, () => errors.largePagesBusy(1));
  const order: string[] = [];
  const pass = (name: string, held?: Promise<unknown>, fails = false): Promise<void> =>
    gate.pass(async () => {
      await held;
      order.push(name);
      if (fails) throw new Error(name);
    });
  let refuse: ((count: unknown) => void) | undefined;
  const refused = new Promise((resolve) => (refuse = resolve));
  const passes = [pass('first', turn(), true), pass('second', refused), pass('third'), pass('fourth')];
  void Promise.allSettled(passes.slice(2)).then(refuse);
  const outcomes = await Promise.allSettled(passes);
  t.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected', 'rejected'],
  );
  t.deepEqual(order, ['first', 'second'], 'the others waited too long');
  await pass('fifth');
  t.deepEqual(order, ['first', 'second', 'fifth']);
});
