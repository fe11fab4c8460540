import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { ConnectionPool, type PoolLimits } from '../../runtime/database/connection-pool.js';

interface Numbered {
  readonly number: number;
  isUsable: boolean;
}

interface Opened {
  readonly pool: ConnectionPool;
  readonly closed: number[];
  /** Set to make the next ones fail. */
  failure: Error | undefined;
}

// Connections are numbered in the order in which they are opened.
function openPool(limits: Partial<PoolLimits> = {}): Opened {
  let number = 0;
  const closed: number[] = [];
  const open = async (): Promise<Numbered> => {
    await delay(1);
    if (opened.failure) throw opened.failure;
    return { number: (number += 1), isUsable: true };
  };
  const close = async (connection: object): Promise<void> => void closed.push((connection as Numbered).number);
  const pool = new ConnectionPool({ open, close, isUsable: (connection) => (connection as Numbered).isUsable }, { most: 2, patience: 1_000, idle: 60_000, tooLate: () => new Error('too late'), ...limits });
  const opened: Opened = { pool, closed, failure: undefined };
  return opened;
}

const acquire = async ({ pool }: Opened): Promise<Numbered> => (await pool.acquire()) as Numbered;

test('the connection that was used last is lent first, and none is opened that is not needed', async (t) => {
  const opened = openPool();
  const { pool } = opened;
  t.is(pool.take(), undefined);
  const [one, two] = await Promise.all([acquire(opened), acquire(opened)]);
  t.deepEqual([one.number, two.number, pool.using, pool.available], [1, 2, 2, 0]);
  pool.release(two);
  pool.release(one);
  t.is(pool.take(), one);
  t.is(await pool.acquire(), two);
  t.is(pool.take(), undefined);
});

test('who finds none waits in line, and is given what comes back', async (t) => {
  const opened = openPool({ most: 1 });
  const { pool } = opened;
  const one = await acquire(opened);
  const order: string[] = [];
  const waiting = ['first', 'second'].map(async (name) => {
    const connection = await pool.acquire();
    order.push(name);
    pool.release(connection);
  });
  t.is(pool.waiting, 2);
  pool.release(one);
  await Promise.all(waiting);
  t.deepEqual([order, pool.using, pool.available, pool.waiting], [['first', 'second'], 0, 1, 0]);
});

test('who has waited too long is told so, and stands in nobody\'s way', async (t) => {
  const opened = openPool({ most: 1, patience: 20 });
  const { pool } = opened;
  const one = await acquire(opened);
  await t.throwsAsync(pool.acquire(), { message: 'too late' });
  pool.release(one);
  t.is(pool.take(), one);
});

test('a connection that cannot be opened fails whoever waits the longest', async (t) => {
  const opened = openPool({ most: 1 });
  opened.failure = new Error('no server');
  const [first, second] = [acquire(opened), acquire(opened)];
  await t.throwsAsync(first, { message: 'no server' });
  opened.failure = undefined;
  t.is((await second).number, 1);
});

test('what cannot be used any more is closed, and another one opened', async (t) => {
  const opened = openPool({ most: 1 });
  const { pool, closed } = opened;
  const one = await acquire(opened);
  pool.release(one);
  one.isUsable = false;
  const two = await acquire(opened);
  t.deepEqual([two.number, closed], [2, [1]]);
  two.isUsable = false;
  const third = acquire(opened);
  pool.release(two);
  t.is((await third).number, 3);
  t.deepEqual(closed, [1, 2]);
});

test('one that is closed instead of being given back makes room for who waits', async (t) => {
  const opened = openPool({ most: 1 });
  const one = await acquire(opened);
  const waiting = acquire(opened);
  await opened.pool.destroy(one);
  t.is((await waiting).number, 2);
});

test('given back twice, or closed and given back, a connection is there once', async (t) => {
  const opened = openPool();
  const { pool, closed } = opened;
  const [one, two] = await Promise.all([acquire(opened), acquire(opened)]);
  pool.release(one);
  pool.release(one);
  await pool.destroy(two);
  pool.release(two);
  await pool.destroy(two);
  t.deepEqual([pool.available, pool.using, closed], [1, 0, [2]]);
});

test('what nobody asks for is closed after a while', async (t) => {
  const opened = openPool({ idle: 30 });
  const { pool, closed } = opened;
  const [one, two] = await Promise.all([acquire(opened), acquire(opened)]);
  pool.release(one);
  await delay(20);
  pool.release(two);
  while (closed.length < 2) await delay(5);
  t.deepEqual([closed, pool.available], [[1, 2], 0]);
});

test('a pool that is being closed waits for what is lent, and lends no more', async (t) => {
  const opened = openPool();
  const { pool, closed } = opened;
  const [one, two] = await Promise.all([acquire(opened), acquire(opened)]);
  pool.release(two);
  let isDrained = false;
  const drained = pool.drain().then(() => (isDrained = true));
  t.is(pool.take(), undefined);
  await t.throwsAsync(pool.acquire(), { message: /being closed/ });
  await delay(5);
  t.false(isDrained);
  pool.release(one);
  await drained;
  await pool.destroyAllNow();
  t.deepEqual(closed.toSorted(), [1, 2]);
});

test('whatever many do at the same time, nobody has another\'s connection and none is lost', async (t) => {
  const step = fc.record({ pause: fc.nat(3), end: fc.constantFrom('release', 'destroy', 'spoil') });
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const opened = openPool({ most: 3 });
    const { pool } = opened;
    const lent = new Set<object>();
    await Promise.all(steps.map(async ({ pause, end }) => {
      const connection = (pool.take() ?? (await pool.acquire())) as Numbered;
      t.false(lent.has(connection));
      lent.add(connection);
      t.true(lent.size <= 3 && pool.using === lent.size);
      if (pause > 0) await delay(pause);
      lent.delete(connection);
      connection.isUsable = end !== 'spoil';
      if (end === 'destroy') await pool.destroy(connection);
      else pool.release(connection);
    }));
    await pool.drain();
    await pool.destroyAllNow();
    t.deepEqual([pool.using, pool.waiting, pool.available], [0, 0, 0]);
  }), { numRuns: 50 });
});
