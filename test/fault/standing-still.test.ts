import test, { type ExecutionContext } from 'ava';
import { connect } from '../../runtime/database/connect.js';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import { withConnection } from '../../runtime/database/run.js';
import { testDatabase } from '../support/database.js';

async function openPool(t: ExecutionContext): Promise<ConnectionPool> {
  const database = await testDatabase();
  const pool = connect(database.url, { poolSize: 1, statementTimeout: 1_000, pageTimeout: 30_000 });
  t.teardown(async () => {
    await pool.close();
    await database.drop();
  });
  return pool;
}

// Serial, since the whole process stands still.
test.serial('an answer that came while the process stood still is read, and its connection stays', async (t) => {
  const pool = await openPool(t);
  const ask = (): Promise<readonly unknown[]> => withConnection(pool, ({ run }) => run({ text: 'SELECT pg_backend_pid()', bind: [] }));
  const before = await ask();
  const asked = ask();
  await new Promise((sent) => setImmediate(sent));
  standStill(3_000);
  t.deepEqual(await asked, before);
  t.deepEqual(await ask(), before, 'the same connection');
});

test.serial('rows that wait while the process stands still are read, and their statement is not cancelled', async (t) => {
  const pool = await openPool(t);
  // More than the socket's buffers hold.
  const text = "SELECT repeat('x', 1000) FROM generate_series(1, 30000)";
  let rows = 0;
  let begin: (() => void) | undefined;
  const begun = new Promise<void>((first) => (begin = first));
  const onRow = (): void => {
    rows += 1;
    begin?.();
  };
  const read = withConnection(pool, ({ each }) => each({ text, bind: [], unhurried: true }, onRow));
  await Promise.race([begun, read]);
  standStill(3_000);
  await read;
  t.is(rows, 30_000);
});

test.serial('a cancellation that arrived while the process stood still keeps its connection', async (t) => {
  const pool = await openPool(t);
  const ask = (): Promise<unknown> => withConnection(pool, ({ run }) => run({ text: 'SELECT pg_backend_pid()', bind: [] }));
  const before = await ask();
  let leave: (() => void) | undefined;
  const recipient = { isGone: () => false, onGone: (listener: () => void) => ((leave = listener), () => undefined) };
  const sleeping = withConnection(pool, ({ run }) => run({ text: 'SELECT pg_sleep(20)', bind: [] }), recipient);
  await new Promise((sent) => setImmediate(sent));
  leave?.();
  await new Promise((sent) => setImmediate(sent));
  standStill(3_000);
  await t.throwsAsync(sleeping);
  t.deepEqual(await ask(), before, 'the same connection');
});

function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
