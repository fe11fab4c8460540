import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { poolState } from '../../runtime/database/pool.js';
import { withConnection } from '../../runtime/database/run.js';
import type { Recipient } from '../../runtime/database/cancel.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { createPooledStore } from '../../runtime/store/pooled-store.js';
import type { Store } from '../../runtime/store/store.js';
import { testDatabase } from '../support/database.js';
import { until } from '../operation/until.js';
import { startDyingServer, type Death } from './dying-server.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';

const recipient: Recipient = { isGone: () => false, onGone: () => () => undefined };

/** Longer than any limit that ends what the server leaves without an answer. */
const patience = 12_000;

// The server has no connections for all of them.
const together = 40;

const limits = { poolSize: 1, statementTimeout: 300, acquireTimeout: 2_000 };

const deaths: readonly Death[] = ['says so', 'ends', 'is reset', 'falls silent'];

// Every message is a point at which a statement, a transaction or the setting up of a session may lose its server.
for (const death of deaths) {
  test.serial(
    `a server that ${death} behind any of its messages leaves no promise open, no connection taken and nothing half done`,
    async (t) => {
      t.timeout(120_000);
      const database = await testDatabase();
      t.teardown(database.drop);
      const setUp = connect(database.url);
      await sequelizeOf(setUp).query('CREATE TABLE note (point text)');
      await setUp.close();
      const { points } = await strike(database.url, death, Infinity);
      t.true(points > 60, `${points} points`);
      const outcomes: Outcome[] = [];
      for (let point = 1; point <= points; point += together)
        outcomes.push(
          ...(await Promise.all(range(point, Math.min(points, point + together - 1)).map((each) => strike(database.url, death, each)))),
        );
      t.deepEqual(
        outcomes.filter(({ faults }) => faults.length > 0),
        [],
      );
      // Between two statements nobody is asking.
      t.true(outcomes.filter(({ statuses }) => statuses.includes(503)).length > points * 0.9);
    },
  );
}

test.serial('a process that pauses for longer than any limit keeps the connection that it was setting up', async (t) => {
  const database = await testDatabase();
  const pool = connect(database.url, { poolSize: 1, acquireTimeout: 30_000 });
  const asked = withConnection(pool, ({ run }) => run({ text: 'select 1', bind: [] }));
  pauseProcess(5_500);
  t.deepEqual(await asked, [['1']]);
  await pool.close();
  await database.drop();
});

function pauseProcess(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

interface Outcome {
  readonly point: number;
  readonly points: number;
  readonly statuses: readonly number[];
  readonly faults: readonly string[];
}

async function strike(databaseUrl: string, death: Death, point: number): Promise<Outcome> {
  const server = await startDyingServer(databaseUrl, death, point);
  const pool = connect(server.url, limits);
  const store = createPooledStore(pool);
  const name = `${death} ${point}`;
  const [read, written] = [await statusOf(readTwice(store)), await statusOf(write(store, name))];
  const points = server.passed();
  const stored = await storedAs(store, name);
  const { using, waiting } = poolState(pool);
  const faults = [
    ...[read, written].filter((status) => status !== 200 && status !== 503).map((status) => `answered ${status}`),
    ...(using + waiting > 0 ? [`${using} connections in use and ${waiting} waited for`] : []),
    ...(isWhole(stored, written) ? [] : [`answered ${written}, and ${stored} of 3 rows are there`]),
    ...((await settled(pool.close())) ? [] : ['the pool does not close']),
  ];
  server.stop();
  return { point, points, statuses: [read, written], faults };
}

const range = (first: number, last: number): readonly number[] => Array.from({ length: last - first + 1 }, (_, index) => first + index);

// Without an answer nobody knows whether it was written, but it is whole.
function isWhole(stored: number, written: number): boolean {
  return stored === 3 || (stored === 0 && written !== 200);
}

function readTwice(store: Store): Promise<unknown> {
  return store.read(async ({ run, each }) => {
    await run({ text: 'SELECT 1', bind: [] });
    await each({ text: 'SELECT generate_series(1, 3)', bind: [] }, () => undefined);
  }, recipient);
}

function write(store: Store, name: string): Promise<unknown> {
  const insert = { text: 'INSERT INTO note VALUES ($1)', bind: [name] };
  return store.transaction(async ({ run, defer }) => {
    await run(insert);
    await defer({ ...insert, reusable: true });
    await run({ text: 'SELECT * FROM note WHERE point = $1', bind: [name] });
    await defer({ ...insert, reusable: true });
  }, recipient);
}

// As soon as a connection can be had again, which must come to that.
async function storedAs(store: Store, name: string): Promise<number> {
  const count = { text: 'SELECT count(*) FROM note WHERE point = $1', bind: [name] };
  let stored = NaN;
  await until(async () => {
    const done = store.read(async ({ run }) => void (stored = Number((await run(count))[0]?.[0])), recipient);
    return (await statusOf(done)) === 200;
  });
  return stored;
}

// 0 is what nobody answered.
async function statusOf(done: Promise<unknown>): Promise<number> {
  let status = 0;
  const known = done.then(
    () => (status = 200),
    (failure: unknown) => (status = failure instanceof ODataError ? failure.status : 500),
  );
  await settled(known);
  return status;
}

async function settled(done: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(patience, false, { signal: timer.signal }).catch(() => true);
  const outcome = await Promise.race([done.then(() => true), late]);
  timer.abort();
  return outcome;
}
