import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { createReadiness } from '../../runtime/tools/operation/health.js';

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
