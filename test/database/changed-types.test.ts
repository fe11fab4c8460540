// Depends on PostgreSQL: prepared statements.

import test from 'ava';
import { anyone } from '../../runtime/database/cancel.js';
import { connect } from '../../runtime/database/connect.js';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import { withConnection } from '../../runtime/database/run.js';
import { sharedReads } from '../../runtime/store/pooled-store.js';
import { inTransaction } from '../../runtime/database/transaction.js';
import { cellText, type Statement } from '../../runtime/sql/statement.js';
import { patient, testDatabase } from '../support/database.js';

let pool: ConnectionPool;
let drop: () => Promise<void>;

test.before(async () => {
  const database = await testDatabase();
  pool = connect(database.url, { ...patient, poolSize: 6 });
  ({ drop } = database);
  await command('create table part (id int primary key, code varchar(10))');
  await command(`insert into part select number, 'c' || number from generate_series(1, 9) numbers(number)`);
});

test.after.always(async () => {
  await pool.close();
  await drop();
});

const command = (text: string): Promise<unknown> => withConnection(pool, ({ run }) => run({ text, bind: [] }));
const read = (id: number): Statement => ({ text: 'select code from part where id = $1::int', bind: [String(id)], reusable: true });
const six = [1, 2, 3, 4, 5, 6];
const codes = six.map((id) => `c${id}`);

let length = 10;
const widen = (): Promise<unknown> => command(`alter table part alter code type varchar(${(length += 1)})`);

/** Ways to read six codes that keep all connections of the pool busy. */
const ways: { readonly [name: string]: () => Promise<readonly (string | null | undefined)[]> } = {
  reads: () => Promise.all(six.map((id) => withConnection(pool, async ({ run }) => (await run(read(id)))[0]?.[0]))),
  'reads that share a packet': async () => {
    const each = sharedReads(pool);
    return Promise.all(
      six.map(async (id) => {
        const seen: (string | null)[] = [];
        await each(read(id), (row) => void seen.push(cellText(row, 0)), anyone);
        return seen.join();
      }),
    );
  },
  transactions: () =>
    Promise.all(
      six.map((id) =>
        inTransaction(pool, async ({ run }) => {
          await run({ text: 'select pg_advisory_xact_lock_shared(1)', bind: [] });
          return (await run(read(id)))[0]?.[0];
        }),
      ),
    ),
};

for (const [name, way] of Object.entries(ways)) {
  test.serial(`${name} go on after the type of a column has changed`, async (t) => {
    t.deepEqual(await way(), codes);
    await widen();
    for (let times = 0; times < 3; times++) t.deepEqual(await way(), codes);
    await widen();
    // One after the other, each on a connection that may have prepared the statement before.
    for (const id of six) t.deepEqual(await withConnection(pool, ({ run }) => run(read(id))), [[`c${id}`]]);
    t.deepEqual(await inTransaction(pool, ({ run }) => run(read(1))), [['c1']]);
  });
}
