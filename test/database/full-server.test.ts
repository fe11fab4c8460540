// Depends on PostgreSQL: limits of connections.
import test, { type ExecutionContext } from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { type ConnectionPool, poolState } from '../../runtime/database/pool.js';
import { withConnection } from '../../runtime/database/run.js';
import { patient, testDatabase } from '../support/database.js';

test('where the server has no connection left, requests wait for those of the pool', async (t) => {
  const pool = await poolOfRole(t, 2);
  const requests = Array.from({ length: 20 }, async () => execute(pool, 'select 1 from pg_sleep(0.05)'));
  const answers = (await Promise.all(requests)) as readonly unknown[][];
  t.deepEqual(answers.flat(2), Array(20).fill('1'));
  t.true(poolState(pool).most <= 2);
});

test('a server without a connection for any of a pool is reported', async (t) => {
  const pool = await poolOfRole(t, 0);
  await t.throwsAsync(execute(pool, 'select 1'), { code: '1503' });
});

async function poolOfRole(t: ExecutionContext, limit: number): Promise<ConnectionPool> {
  const database = await testDatabase();
  const role = `role_of_${new URL(database.url).pathname.slice(1)}`;
  const admin = connect(database.url, { ...patient, poolSize: 1 });
  await execute(admin, `create role "${role}" login password 'of the test' connection limit ${limit}`);
  const url = Object.assign(new URL(database.url), { username: role, password: 'of the test' });
  const pool = connect(url.href, { ...patient, poolSize: 10 });
  t.teardown(async () => {
    await pool.close();
    await execute(admin, `drop role "${role}"`);
    await admin.close();
    await database.drop();
  });
  return pool;
}

function execute(pool: ConnectionPool, text: string): Promise<unknown> {
  return withConnection(pool, ({ run }) => run({ text, bind: [] }));
}
