// Depends on PostgreSQL: locks.

import test, { type ExecutionContext } from 'ava';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import { connect } from '../../runtime/database/connect.js';
import { poolState } from '../../runtime/database/pool.js';
import { withConnection } from '../../runtime/database/run.js';
import { inTransaction } from '../../runtime/database/transaction.js';
import type { Connection, Row } from '../../runtime/sql/statement.js';
import { testDatabase } from '../support/database.js';
import { startProxy } from '../fault/proxy.js';

const insert = (value: string) => ({ text: 'INSERT INTO note VALUES ($1::int)', bind: [value], reusable: true }) as const;
const all = { text: 'SELECT x FROM note ORDER BY x', bind: [] };

test('statements that wait go out in order with the next one, or with the end', async (t) => {
  const { pool, notes } = await withNotes(t);
  const seen = await inTransaction(pool, async ({ run, defer }) => {
    await defer(insert('1'));
    await defer(insert('2'));
    const between = await run(all);
    await defer(insert('3'));
    return between;
  });
  t.deepEqual(seen, [['1'], ['2']], 'the rows are those of the last one');
  t.deepEqual(await notes(), [['1'], ['2'], ['3']]);
});

test('the statement that ends a transaction gives its rows, and none may follow', async (t) => {
  const { pool, notes } = await withNotes(t);
  const rows: number[] = [];
  await inTransaction(pool, async ({ defer, finish }) => {
    await defer(insert('1'));
    await finish?.(all, (row) => void rows.push(row.starts.length));
  });
  t.deepEqual(rows, [1]);
  const late = inTransaction(pool, async ({ run, finish }) => {
    await finish?.(insert('2'), () => undefined);
    await run(insert('3'));
  });
  await t.throwsAsync(late, { message: /followed the end of its transaction/ });
  t.deepEqual(await notes(), [['1'], ['2']]);
});

test('a statement that is asked ahead goes out with the next one, or when its rows are wanted', async (t) => {
  const { pool, notes } = await withNotes(t);
  const seen = await inTransaction(pool, async ({ run, ahead, defer }) => {
    const before = ahead(all);
    await defer(insert('1'));
    const [one, two] = [ahead(all), ahead(all)];
    await run(insert('2'));
    const known = [await before(), await one(), await two(), await one()];
    const last = ahead(all);
    return [...known, await last(), await last()];
  });
  t.deepEqual(seen, [[], [['1']], [['1']], [['1']], [['1'], ['2']], [['1'], ['2']]]);
  await t.throwsAsync(
    inTransaction(pool, async ({ ahead, run }) => (ahead({ text: 'SELECT 1 / 0', bind: [] }), run(all))),
    { message: /division by zero/ },
  );
  await inTransaction(pool, async ({ ahead }) => void ahead(insert('3')));
  t.deepEqual(await notes(), [['1'], ['2'], ['3']]);
});

test('what changes nothing is asked outside of a transaction, and a last statement needs none', async (t) => {
  const { pool, notes } = await withNotes(t);
  const xid = { text: 'SELECT pg_current_xact_id_if_assigned() IS NOT NULL', bind: [] };
  const look = { ...all, reusable: true, lockless: true } as const;
  await inTransaction(pool, async ({ run, ahead, defer, finish }) => {
    const rows = ahead(look);
    t.deepEqual([await run(look), await rows()], [[], []]);
    await defer(insert('1'));
    await finish?.(
      xid,
      (row) => void t.is(row.bytes.toString('latin1', row.starts[0], row.ends[0]), 't', 'it sees the change of its own transaction'),
    );
  });
  const failing = inTransaction(pool, async ({ run, defer, finish }) => {
    await run(look);
    await defer(insert('2'));
    await finish?.({ text: 'SELECT 1 / 0', bind: [] }, () => undefined);
  });
  await t.throwsAsync(failing, { message: /division by zero/ });
  const later = inTransaction(pool, async ({ run }) => {
    await run(look);
    await run(insert('3'));
    await run(look);
    throw new Error('no');
  });
  await t.throwsAsync(later, { message: 'no' });
  t.deepEqual(await notes(), [['1']]);
});

const refusal = (failure: unknown): unknown => new Error(`refused: ${(failure as { readonly code?: string }).code}`);

test('what a waiting statement fails with is thrown at the next one, as its asker says', async (t) => {
  const { pool, notes } = await withNotes(t);
  for (const last of ['run', 'end'] as const) {
    const work = inTransaction(pool, async ({ run, defer }) => {
      await defer(insert('1'));
      await defer(insert('none'), refusal);
      if (last === 'run') await run(all);
    });
    await t.throwsAsync(work, { message: 'refused: 22P02' });
  }
  t.deepEqual(await notes(), []);
});

test('a statement whose first time failed is prepared at its second', async (t) => {
  const { pool, notes } = await withNotes(t);
  await t.throwsAsync(inTransaction(pool, ({ run }) => run(insert('none'))));
  await t.throwsAsync(
    inTransaction(pool, async ({ run, defer }) => (await defer({ text: 'SELECT 1 / 0', bind: [] }), run({ ...all, reusable: true }))),
  );
  for (const value of ['1', '2']) await inTransaction(pool, ({ run }) => run(insert(value)));
  t.deepEqual(await inTransaction(pool, ({ run }) => run({ ...all, reusable: true })), [['1'], ['2']]);
  t.deepEqual(await notes(), [['1'], ['2']]);
});

test('a failure that the work passes over is not committed in silence', async (t) => {
  const { pool, notes } = await withNotes(t);
  const work = inTransaction(pool, async ({ run }) => {
    await run(insert('1'));
    await run(insert('none')).catch(() => undefined);
  });
  await t.throwsAsync(work, { message: /ended with ROLLBACK/ });
  t.deepEqual(await notes(), []);
});

test('a transaction without statements costs nothing, and one that is refused before its first neither', async (t) => {
  const { pool, notes } = await withNotes(t);
  t.is(await inTransaction(pool, async () => 'nothing'), 'nothing');
  await t.throwsAsync(
    inTransaction(pool, async ({ defer }) => {
      await defer(insert('1'));
      throw new Error('no');
    }),
    { message: 'no' },
  );
  t.deepEqual(await notes(), []);
});

test('where a transaction cannot be taken back its connection goes, and the reason stays', async (t) => {
  const database = await testDatabase();
  const proxy = await startProxy(database.url);
  const pool = connect(proxy.url, { poolSize: 1, statementTimeout: 1_000 });
  t.teardown(async () => {
    await pool.close();
    proxy.stop();
    await database.drop();
  });
  const work = inTransaction(pool, async ({ run }) => {
    await run({ text: 'CREATE TABLE half (x int)', bind: [] });
    proxy.stall(true);
    throw new Error('the reason');
  });
  const begun = performance.now();
  await t.throwsAsync(work, { message: 'the reason' });
  t.true(performance.now() - begun < 30_000);
  t.is(poolState(pool).using, 0);
  proxy.stall(false);
  t.deepEqual(await withConnection(pool, ({ run }) => run({ text: "SELECT to_regclass('half')::text", bind: [] })), [[null]]);
});

interface Notes {
  readonly pool: ConnectionPool;
  readonly notes: () => Promise<readonly Row[]>;
}

// One connection, so that each transaction meets what the one before it left.
async function withNotes(t: ExecutionContext): Promise<Notes> {
  const database = await testDatabase();
  const pool = connect(database.url, { poolSize: 1 });
  t.teardown(async () => {
    await pool.close();
    await database.drop();
  });
  const run = (text: string): Promise<readonly Row[]> =>
    withConnection(pool, (connection: Connection) => connection.run({ text, bind: [] }));
  await run('CREATE TABLE note (x int)');
  return { pool, notes: () => run(all.text) };
}
