import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { createOperationsServer, createReadiness } from '../../runtime/tools/operation/health.js';
import { freePort } from '../support/free-port.js';
import { startService } from '../support/service.js';

const idle = { using: 0, available: 1, waiting: 0, most: 1 };

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

test('what fails while it is answered on the port of operations is 500, and the process goes on', async (t) => {
  const server = createOperationsServer(() => Promise.reject(new Error('No answer.')));
  t.teardown(() => server.close());
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.is((await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`)).status, 500);
});

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
