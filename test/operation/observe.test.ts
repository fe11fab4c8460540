import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  context,
  type ContextManager,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  trace,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import test from 'ava';
import { errors } from '../../runtime/errors/catalogue.js';
import type { ODataRequest, ODataResponse } from '../../runtime/protocol/message.js';
import { createLogMeters } from '../../runtime/features/changes/keeping.js';
import { createHookMeters } from '../../runtime/features/webhooks/hook-meters.js';
import { createOperationsServer, createReadiness } from '../../runtime/tools/operation/health.js';
import { createLogger, loggedFailure } from '../../runtime/tools/operation/logger.js';
import { createMetrics, metersOf } from '../../runtime/tools/operation/metrics.js';
import { createTracing } from '../../runtime/tools/operation/tracing.js';
import { loggedPath, loggedQuery } from '../../runtime/tools/operation/observe.js';
import { freePort } from '../support/free-port.js';
import { secret, startService } from '../support/service.js';
import { startProcess } from './serve-process.js';
import { until } from './until.js';

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

// A device that every write to fails with ENOSPC.
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

test('operations can have a port of their own', async (t) => {
  const port = await freePort();
  const service = await startService({ GABLE_OPERATIONS_PORT: String(port), GABLE_METRICS: 'false' });
  t.teardown(() => service.stop());
  const statuses = await Promise.all(
    [`${new URL(service.root).origin}/health/live`, `http://127.0.0.1:${port}/health/live?x=1`, `http://127.0.0.1:${port}/metrics`].map(
      async (url) => (await fetch(url)).status,
    ),
  );
  t.deepEqual(statuses, [404, 200, 404]);
});

test('Server-Timing has the stages in order, and none of the database where there was none', async (t) => {
  const service = await startService({ GABLE_SERVER_TIMING: 'true' });
  t.teardown(() => service.stop());
  const headers = { Authorization: `Bearer ${await service.token('read')}` };
  const timing = async (path: string): Promise<string> =>
    ((await fetch(service.root + path, { headers })).headers.get('server-timing') ?? '').replace(/\d+\.\d\d/g, 'N');
  t.is(await timing('/Office?$top=1'), 'authenticate;dur=N, plan;dur=N, acquire;dur=N, execute;dur=N, render;dur=N, total;dur=N');
  t.is(await timing('/Office?$top=x'), 'authenticate;dur=N, render;dur=N, total;dur=N');
});

test.serial('a request and its stages are spans', async (t) => {
  const spans: Recorded[] = [];
  trace.setGlobalTracerProvider(recordingProvider(spans));
  t.teardown(() => trace.disable());
  const service = await startService({ GABLE_TRACES: 'true' });
  t.teardown(() => service.stop());
  await fetch(`${service.root}/Office?$top=1`, { headers: { Authorization: `Bearer ${await service.token('read')}` } });
  t.deepEqual(
    spans.map(({ name }) => name),
    ['GET /odata/Office', 'authenticate', 'plan', 'acquire', 'execute', 'render'],
  );
  t.true(spans.every(({ ended }) => ended));
  t.is(spans[0]?.parent, undefined);
  t.true(spans.slice(1).every(({ parent }) => parent !== undefined));
  t.like(spans[0]?.attributes, { 'http.request.method': 'GET', 'http.route': '/odata/Office', 'http.response.status_code': 200 });
});

test.serial('within the span of an instrumentation, a request is a part of it; a stream lasts until it has been sent', async (t) => {
  const spans: Recorded[] = [];
  trace.setGlobalTracerProvider(recordingProvider(spans));
  const outer = trace.getTracer('http').startSpan('outer');
  const active = trace.setSpan(ROOT_CONTEXT, outer);
  context.setGlobalContextManager({ active: () => active, with: (_, work, self, ...rest) => work.call(self, ...rest), ...inert });
  t.teardown(() => (context.disable(), trace.disable()));
  const body = Readable.from(['x']);
  const request = { method: 'GET', path: '/Office', id: 'r1', header: () => undefined } as unknown as ODataRequest;
  const answer = async (): Promise<ODataResponse> => ({ status: 200, headers: {}, body });
  await createTracing('/odata').within(request, 'Office', answer, () => []);
  const [, span] = spans;
  t.is(span?.parent, outer);
  t.false(span?.ended);
  body.destroy(new Error('The database is lost.'));
  await new Promise((closed) => body.once('close', closed));
  t.deepEqual([span?.ended, span?.status], [true, SpanStatusCode.ERROR]);
});

const inert: Pick<ContextManager, 'bind' | 'enable' | 'disable'> = {
  bind: (_, target) => target,
  enable: () => undefined as never,
  disable: () => undefined as never,
};

interface Recorded {
  readonly name: string;
  readonly parent: Span | undefined;
  ended: boolean;
  status?: SpanStatusCode;
  readonly attributes: Record<string, unknown>;
}

// As little of an SDK as the test needs.
function recordingProvider(spans: Recorded[]): TracerProvider {
  const startSpan = (name: string, options: SpanOptions = {}, parent = context.active()): Span => {
    const record: Recorded = { name, parent: trace.getSpan(parent), ended: false, attributes: { ...options.attributes } };
    spans.push(record);
    const span = {
      setAttribute: (key: string, value: unknown) => ((record.attributes[key] = value), span),
      setStatus: ({ code }: SpanStatus) => ((record.status = code), span),
      end: () => void (record.ended = true),
    };
    return span as unknown as Span; // The parts of a span that are used.
  };
  return { getTracer: () => ({ startSpan }) as unknown as Tracer };
}

// oxfmt-ignore
/** Query strings, and what the log shows of them. */
const queries: readonly (readonly [sent: string, shown: string])[] = [
  ['$filter=City%20eq%20%27Toronto%27&$top=5', "$filter=City eq '...'&$top=5"],
  ["$filter=Name eq 'O''Hara' and ListPrice gt 5", "$filter=Name eq '...' and ListPrice gt ..."],
  ['$filter=Born lt 1980-02-03 and Salary gt -5.5e3 and Owner eq 0f3c8a52-9f6b-4a0e-8b1c-2d3e4f5a6b7c', '$filter=Born lt ... and Salary gt ... and Owner eq ...'],
  ['$filter=Line2/any(x:x/Id1 in (1,2)) and year(Sold) eq 2024&$top=%27x%27', "$filter=Line2/any(x:x/Id1 in (...,...)) and year(Sold) eq ...&$top='...'"],
  ["$filter=Name eq 'never closed", "$filter=Name eq '...'"],
  ['$filter=City in ["a","b\\"c"]', '$filter=City in ["...","..."]'],
  ['access_token=secret&x', 'access_token=...&...'],
  ['$skiptoken=abc&$search=Smith', '$skiptoken=...&$search=...'],
  ['%24filter=City+eq+%27x%27', "$filter=City eq '...'"],
  ['$filter=%FF', '$filter=%FF'],
  ['@p=%27secret%27', "@p='...'"],
  ['', ''],
];

for (const [sent, shown] of queries) test(`in the log: ${sent}`, (t) => t.is(loggedQuery(sent), shown));

test('a path is shown with its keys, and without the values of a condition', (t) => {
  t.is(loggedPath("/Property('12')"), "/Property('12')");
  t.is(loggedPath("/Property/$filter(City%20eq%20'x')"), "/Property/$filter(City eq '...')");
});

test('a failure is logged without the data it happened to', (t) => {
  const lines: string[] = [];
  const failure = Object.assign(new Error('invalid input syntax for type integer: "4711 secret"'), {
    code: '22P02',
    sql: 'select secret',
    parameters: ['secret'],
    detail: 'Key (x)=(secret)',
    where: 'secret',
    cause: Object.assign(new Error('below'), { original: { sql: 'secret' } }),
  });
  createLogger('info', { write: (line) => void lines.push(line) }).error({ requestId: 'r1', failure }, 'unexpected failure');
  t.is(lines.length, 1);
  t.false(lines[0]?.includes('secret'));
  t.like(JSON.parse(lines[0] ?? ''), {
    level: 'error',
    requestId: 'r1',
    failure: { code: '22P02', message: 'invalid input syntax for type integer: "..."', cause: { message: 'below' } },
  });
  t.deepEqual(loggedFailure('text'), { message: 'text' });
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), {
    name: 'SequelizeConnectionRefusedError',
    original: { code: 'ECONNREFUSED' },
  });
  const { message, ...known } = loggedFailure(Object.assign(errors.databaseUnavailable(), { cause: refused }));
  t.deepEqual(known, {
    name: 'ODataError',
    code: '1503',
    cause: { name: 'SequelizeConnectionRefusedError', message: 'connect ECONNREFUSED 10.0.0.5:5432', code: 'ECONNREFUSED' },
  });
  t.regex(message, /database is unavailable/);
});

test('figures of the change log are absent until they are measured', async (t) => {
  const metrics = createMetrics(() => idle);
  const note = createLogMeters(metersOf(metrics.registry));
  const shown = async (): Promise<readonly string[]> => (await metrics.registry.metrics()).match(/^gable_changes_.*/gm) ?? [];
  t.deepEqual(await shown(), []);
  note({ rows: 3, bytes: 0, age: 2, lag: 0 });
  t.deepEqual(await shown(), ['gable_changes_rows 3', 'gable_changes_bytes 0', 'gable_changes_age_seconds 2', 'gable_changes_lag 0']);
});

test('the change log is measured when a process starts', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const { origin } = new URL(service.root);
  await t.notThrowsAsync(until(async () => /^gable_changes_bytes [1-9]/m.test(await (await fetch(`${origin}/metrics`)).text())));
});

const { registry } = createMetrics(() => ({ using: 0, available: 0, waiting: 0, most: 1 }));
// Metrics of optional features are added where they are used.
const added = [...readFileSync('runtime/main.ts', 'utf8').matchAll(/'(gable_\w+)'/g)].map(([, name]) => name ?? '');
createHookMeters(metersOf(registry));
createLogMeters(metersOf(registry));
const names = new Set([...registry.getMetricsAsArray().map(({ name }) => name), ...added]);

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

test('the dashboard and the page about operation name metrics that the service has', (t) => {
  const { panels } = JSON.parse(readFileSync('runtime/tools/operation/dashboard.json', 'utf8')) as Dashboard;
  const queried = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const told = readFileSync('OPERATING.md', 'utf8');
  const named = [...queried, told].flatMap((text) => [...text.matchAll(/\b(?:gable|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name));
  t.true(named.length > panels.length);
  t.deepEqual(
    named.filter((name) => !names.has(name.replace(/_(bucket|count|sum)$/, ''))),
    [],
  );
});

test('every panel has queries', (t) => {
  const { panels } = JSON.parse(readFileSync('runtime/tools/operation/dashboard.json', 'utf8')) as Dashboard;
  t.deepEqual(
    panels.filter(({ targets }) => targets.length === 0).map(({ title }) => title),
    [],
  );
});

test('what fails while it is answered on the port of operations is 500, and the process goes on', async (t) => {
  const server = createOperationsServer(() => Promise.reject(new Error('No answer.')));
  t.teardown(() => server.close());
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.is((await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`)).status, 500);
});

const idle = { using: 0, available: 1, waiting: 0, most: 1 };

test('the log is told once why the database does not respond, and again when it has answered in between', async (t) => {
  const told: unknown[] = [];
  const answers = ['refused', 'refused', undefined, 'lost'];
  const schemaState = async () => {
    const failure = answers.shift();
    if (failure !== undefined) throw new Error(failure);
    return { missing: [], newer: [], isReadOnly: false };
  };
  const readiness = createReadiness({
    pool: () => idle,
    schema: () => 'current',
    isDraining: () => false,
    schemaState,
    mayBeReadOnly: false,
    report: (failure) => told.push(String(failure)),
  });
  const seen = [];
  for (let asked = 0; asked < 4; asked++) {
    // An answer is kept for a second.
    if (asked > 0) await delay(1_050);
    seen.push((await readiness()).database);
  }
  t.deepEqual(seen, ['down', 'down', 'up', 'down']);
  t.deepEqual(told, ['Error: refused', 'Error: lost']);
});

for (const mayBeReadOnly of [false, true]) {
  test(`a database that accepts no changes is ${mayBeReadOnly ? 'ready for a service that only reads' : 'not ready'}`, async (t) => {
    const readiness = createReadiness({
      pool: () => idle,
      schema: () => 'current',
      isDraining: () => false,
      schemaState: async () => ({ missing: [], newer: [], isReadOnly: true }),
      mayBeReadOnly,
      report: () => t.fail(),
    });
    t.deepEqual(await readiness(), { ready: mayBeReadOnly, database: 'read-only', migrations: 'current', draining: false });
  });
}

for (const [missing, newer, migrations, ready] of [
  [[], ['0003-new.sql'], 'newer', true],
  [['0002-old.sql'], ['0003-new.sql'], 'missing', false],
] as const) {
  test(`migrations are ${migrations}, and the process ${ready ? 'is' : 'is not'} ready`, async (t) => {
    const readiness = createReadiness({
      pool: () => idle,
      schema: () => 'current',
      isDraining: () => false,
      schemaState: async () => ({ missing, newer, isReadOnly: false }),
      mayBeReadOnly: false,
      report: () => t.fail(),
    });
    t.deepEqual(await readiness(), { ready, database: 'up', migrations, draining: false }, 'the schema is that of other migrations');
  });
}

test('replicas that serve and those that do not are counted, with the longest lag of the first', async (t) => {
  const readiness = createReadiness({
    pool: () => idle,
    schema: () => 'current',
    isDraining: () => false,
    schemaState: async () => ({ missing: [], newer: [], isReadOnly: false }),
    mayBeReadOnly: false,
    report: () => t.fail(),
    replicas: () => [
      { serving: true, lag: 0 },
      { serving: true, lag: 12.4 },
      { serving: false, lag: Infinity },
    ],
  });
  t.deepEqual((await readiness()).replicas, { serving: 2, ejected: 1, lag: 12 });
});
