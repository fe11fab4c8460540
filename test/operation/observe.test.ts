import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import test from 'ava';
import { secret, startService } from '../support/service.js';
import { startProcess } from './serve-process.js';

test('health, metrics and what every answer says to a browser', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const origin = new URL(service.root).origin;
  const live = await fetch(`${origin}/health/live`);
  t.deepEqual([live.status, await live.json()], [200, { status: 'up' }]);
  const ready = await fetch(`${origin}/health/ready`);
  t.deepEqual(
    [ready.status, await ready.json()],
    [200, { status: 'up', database: 'up', migrations: 'current', schema: 'unknown', draining: false }],
  );
  t.is(ready.headers.get('cache-control'), 'no-store');
  t.is((await fetch(`${origin}/health/ready`, { method: 'POST' })).status, 405);
  t.is((await fetch(`${origin}/health/other`)).status, 404);

  const Authorization = `Bearer ${await service.token('read')}`;
  for (const path of ['/Office', '/Office', "/Office('none')", '/Wrong-1', '/Wrong-2'])
    await fetch(service.root + path, { headers: { Authorization } });
  const answer = await fetch(service.root);
  t.is(answer.headers.get('x-content-type-options'), 'nosniff');
  t.is(answer.headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').resume();
  socket.write('hello\r\n\r\n');
  await once(socket, 'close');
  const text = await (await fetch(`${origin}/metrics`)).text();
  const count = (labels: string): string | undefined =>
    text
      .split('\n')
      .find((line) => line.startsWith(`gable_http_request_duration_seconds_count{${labels}}`))
      ?.split(' ')[1];
  t.is(count('method="GET",resource="Office",status="200"'), '2');
  t.is(count('method="GET",resource="Office",status="404"'), '1');
  t.is(count('method="GET",resource="other",status="404"'), '2');
  t.is(count('method="GET",resource="service",status="401"'), '1');
  // Operators' endpoints, and addresses outside of the service.
  t.is(count('method="GET",resource="operation",status="200"'), '2');
  t.is(count('method="POST",resource="operation",status="405"'), '1');
  t.is(count('method="GET",resource="outside",status="404"'), '1');
  t.regex(text, /^gable_http_unreadable_requests_total\{status="400"\} 1$/m);
  t.regex(text, /^gable_database_connections\{state="waiting"\} 0$/m);
  t.regex(text, /^nodejs_eventloop_lag_seconds /m);
});

// A device of Linux; every write to it fails with ENOSPC. Other systems have none, so the test is skipped there.
const full = '/dev/full';

(existsSync(full) ? test : test.skip)('a full disk of the log does not end the service', async (t) => {
  const service = await startService();
  const log = openSync(full, 'w');
  t.teardown(async () => {
    closeSync(log);
    await service.stop();
  });
  const environment = { DATABASE_URL: service.databaseUrl, GABLE_SECRET: secret, GABLE_LOG_REQUESTS: 'all' };
  const served = await startProcess([], environment, { stdio: ['ignore', 'pipe', log] });
  const headers = { Authorization: `Bearer ${await service.token('read')}` };
  for (let asked = 0; asked < 3; asked += 1) t.is((await fetch(`${served.url}/odata/Office`, { headers })).status, 200);
  served.child.kill();
  t.is(await served.ended, 0);
});

test('what is refused for its number, and what asks for a token, is counted and logged too', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const served = await startProcess([], {
    DATABASE_URL: service.databaseUrl,
    GABLE_SECRET: secret,
    GABLE_REQUESTS_PER_MINUTE: '1',
    GABLE_LOG_REQUESTS: 'all',
  });
  t.teardown(() => served.child.kill('SIGKILL'));
  const Authorization = `Bearer ${await service.token('read')}`;
  const tokens = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'nobody',
    client_secret: "a word that is nobody's business",
  });
  const statuses = [
    await fetch(`${served.url}/odata/Office`, { headers: { Authorization } }),
    await fetch(`${served.url}/odata/Office`, { headers: { Authorization } }),
    await fetch(`${served.url}/oauth2/token`, { method: 'POST', body: tokens }),
  ].map(({ status }) => status);
  t.deepEqual(statuses, [200, 429, 401]);
  const text = await (await fetch(`${served.url}/metrics`)).text();
  for (const labels of ['method="GET",resource="Office",status="429"', 'method="POST",resource="oauth2",status="401"'])
    t.true(text.includes(`gable_http_request_duration_seconds_count{${labels}} 1`), labels);
  const lines = served
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly path: string; readonly status: number });
  t.deepEqual(
    lines.map(({ path, status }) => [path, status]),
    [
      ['/Office', 200],
      ['/Office', 429],
      ['/oauth2/token', 401],
    ],
  );
  served.child.kill('SIGTERM');
  t.is(await served.ended, 0);
  t.regex(served.log(), /"drainDelay":0,"drainTimeout":25000,"msg":"draining"/);
  t.notRegex(served.log(), new RegExp(`business|${secret}`));
});
