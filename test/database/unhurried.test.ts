// Depends on PostgreSQL: settings.

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { anyone, workFor } from '../../runtime/database/cancel.js';
import { connect, type ConnectOptions } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { isConnectionLost } from '../../runtime/database/failures.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import type { OnRow, Statement } from '../../runtime/sql/statement.js';
import { patient, testDatabase, type TestDatabase } from '../support/database.js';
import { acquireConnection } from '../../runtime/database/pool.js';

let database: TestDatabase;
test.before(async () => {
  database = await testDatabase();
});
test.after.always(() => database?.drop());

/** A pool of one connection, which a test looks at again afterwards. */
async function withOne(scene: (pool: ReturnType<typeof connect>) => Promise<void>, options: ConnectOptions = {}): Promise<void> {
  const pool = connect(database.url, { ...options, poolSize: 1 });
  await scene(pool).finally(() => pool.close());
}

const session = 'SELECT pg_backend_pid(), current_setting($1)';
const sessionOf = (pool: ReturnType<typeof connect>): Promise<unknown> =>
  withConnection(pool, (one) => one.run({ text: session, bind: ['statement_timeout'] }));

// More than the socket's buffers hold, so that the server has to wait with the rest.
const large: Statement = { text: "SELECT repeat('x', 1000) FROM generate_series(1, 30000)", bind: [] };
const limits = { statementTimeout: 1_000, pageTimeout: 30_000 };

// Pauses once, for three times as long as a statement may take.
function slowly(limit: number, count: () => void): OnRow {
  let rows = 0;
  return () => {
    count();
    rows += 1;
    return rows === 1 ? delay(3 * limit) : undefined;
  };
}

// Where the machine itself stands still for longer than the limit, the test is repeated with a longer one.
test("an unhurried statement's time does not run while its reader pauses, and its session is as it was", async (t) => {
  const { rows, before, after } = await readSlowly(400)
    .catch(() => readSlowly(1_600))
    .catch(() => readSlowly(6_400));
  t.is(rows, 30_000);
  t.deepEqual(after, before);
});

interface Reading {
  readonly rows: number;
  readonly before: unknown;
  readonly after: unknown;
}

async function readSlowly(statementTimeout: number): Promise<Reading> {
  const pool = connect(database.url, { ...limits, statementTimeout, poolSize: 1 });
  try {
    const before = await sessionOf(pool);
    let rows = 0;
    const onRow = slowly(statementTimeout, () => (rows += 1));
    await withConnection(pool, (one) => one.each({ ...large, unhurried: true }, onRow));
    return { rows, before, after: await sessionOf(pool) };
  } finally {
    await pool.close();
  }
}

test("any other statement's time does", (t) =>
  withOne(async (pool) => {
    const onRow = slowly(limits.statementTimeout, () => undefined);
    const failure = await t.throwsAsync(
      withConnection(pool, (one) => one.each(large, onRow)),
      { instanceOf: ODataError },
    );
    // The server ends it (1508), or this process, which has not read so for longer (1503).
    t.regex(failure?.code ?? '', /^150[38]$/);
  }, limits));

test('an unhurried statement without a row for as long as a statement may take is cancelled, and its session stays', (t) =>
  withOne(async (pool) => {
    const before = await sessionOf(pool);
    const asleep: Statement = { text: 'SELECT pg_sleep(20)', bind: [], unhurried: true };
    const failure = await t.throwsAsync(
      withConnection(pool, (one) => one.each(asleep, () => undefined)),
      { instanceOf: ODataError },
    );
    t.is(failure?.code, '1508');
    t.deepEqual(await sessionOf(pool), before);
  }, limits));

test('an unhurried statement that fails leaves its session as it was', (t) =>
  withOne(async (pool) => {
    const before = await sessionOf(pool);
    await t.throwsAsync(
      withConnection(pool, (one) => one.each({ text: 'SELECT 1 / 0', bind: [], unhurried: true }, () => undefined)),
      { message: 'division by zero' },
    );
    t.deepEqual(await sessionOf(pool), before);
  }, patient));

test('an unhurried statement that is reusable is prepared under its name', (t) =>
  withOne(async (pool) => {
    const named: Statement = { text: 'SELECT $1::text', bind: ['a'], reusable: true, unhurried: true };
    const names = await withConnection(pool, async (one) => {
      await one.each(named, () => undefined);
      await one.each(named, () => undefined);
      return one.run({ text: "SELECT statement FROM pg_prepared_statements WHERE name = 'gable_1'", bind: [] });
    });
    t.deepEqual(names, [['SELECT $1::text']]);
  }, patient));

const gone = { isGone: () => true, onGone: () => () => undefined };

test('nothing runs for a recipient who has gone', (t) =>
  withOne(async (pool) => {
    const failure = await t.throwsAsync(
      withConnection(pool, () => Promise.resolve(t.fail()), gone),
      { instanceOf: ODataError },
    );
    t.is(failure?.code, '1499');
  }));

test('no statement follows the one that was cancelled', (t) =>
  withOne(async (pool) => {
    let leave: (() => void) | undefined;
    let left = false;
    const recipient = { isGone: () => left, onGone: (listener: () => void) => ((leave = listener), () => undefined) };
    const work = withConnection(
      pool,
      async (one) => {
        left = true;
        leave?.();
        await one.run({ text: 'SELECT 1', bind: [] });
        t.fail();
      },
      recipient,
    );
    t.is((await t.throwsAsync(work, { instanceOf: ODataError }))?.code, '1499');
    t.truthy(await sessionOf(pool));
  }));

test('a cancellation that does not get through makes its connection a lost one', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  const { port } = await new Promise<AddressInfo>((ready) => server.once('listening', () => ready(server.address() as AddressInfo)));
  await new Promise((closed) => server.close(closed));
  await withOne(async (pool) => {
    const client = await acquireConnection(pool);
    const unreachable = { ...client, host: '127.0.0.1', port };
    t.true(isConnectionLost(await t.throwsAsync(workFor(anyone, unreachable, async (cancel) => cancel()))));
    pool.clients.release(client);
  });
});
