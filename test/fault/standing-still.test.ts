import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { testDatabase } from '../support/database.js';

test('an answer that came while the process stood still is read, and its connection stays', async (t) => {
  const database = await testDatabase();
  const pool = connect(database.url, { poolSize: 1, statementTimeout: 1_000 });
  t.teardown(async () => {
    await pool.close();
    await database.drop();
  });
  const ask = (): Promise<readonly unknown[]> => withConnection(pool, ({ run }) => run({ text: 'SELECT pg_backend_pid()', bind: [] }));
  const before = await ask();
  const asked = ask();
  await new Promise((sent) => setImmediate(sent));
  standStill(3_000);
  t.deepEqual(await asked, before);
  t.deepEqual(await ask(), before, 'the same connection');
});

function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
