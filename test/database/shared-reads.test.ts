// Depends on PostgreSQL: protocol.

import test from 'ava';
import type { Recipient } from '../../runtime/database/cancel.js';
import { anyone } from '../../runtime/database/cancel.js';
import { connect } from '../../runtime/database/connect.js';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import { withConnection } from '../../runtime/database/run.js';
import { sharedReads } from '../../runtime/store/pooled-store.js';
import { cellText, type Statement } from '../../runtime/sql/statement.js';
import { patient, testDatabase } from '../support/database.js';
import { fc } from '../support/fast-check.js';

let pool: ConnectionPool;
let drop: () => Promise<void>;

test.before(async () => {
  const database = await testDatabase();
  pool = connect(database.url, { ...patient, poolSize: 2 });
  ({ drop } = database);
});

test.after.always(async () => {
  await pool.close();
  await drop();
});

const byNumber = `select number || ' ' || pg_backend_pid() from generate_series(1, 9) numbers(number) where number = $1::int`;
const another = `select number * 100 || ' ' || pg_backend_pid() from generate_series(1, 9) numbers(number) where number = $1::int`;
const modeOf = `select current_setting('plan_cache_mode') where $1 <> ''`;
const gone: Recipient = { isGone: () => true, onGone: () => () => undefined };

/** A read and its outcome: the row's text, `nothing`, or the failure. */
interface Asked {
  readonly text: string;
  readonly value: string;
  readonly recipient?: Recipient;
  readonly isFaulty?: boolean;
}

const reading = (asked: readonly Asked[]): Promise<readonly string[]> => {
  const each = sharedReads(pool);
  return Promise.all(
    asked.map(async ({ text, value, recipient = anyone, isFaulty }) => {
      const rows: string[] = [];
      const statement: Statement = { text, bind: [value], reusable: true };
      const take = (row: Parameters<typeof cellText>[0]): void => {
        if (isFaulty) throw new Error('of the row');
        rows.push(cellText(row, 0) ?? '');
      };
      return each(statement, take, recipient).then(
        () => rows.join(', ') || 'nothing',
        (failure: unknown) => (failure as Error).message,
      );
    }),
  );
};

const withoutProcess = (outcomes: readonly string[]): readonly string[] => outcomes.map((outcome) => outcome.replace(/(\d) \d+$/, '$1'));

test.serial('each read gets its own row, nothing, or its own failure', async (t) => {
  const asked: readonly Asked[] = [
    { text: byNumber, value: '1' },
    { text: byNumber, value: '2' },
    { text: byNumber, value: '12' },
    { text: byNumber, value: '99999999999' },
    { text: byNumber, value: '3', isFaulty: true },
    { text: another, value: '3' },
    { text: byNumber, value: 'x' },
    { text: byNumber, value: '4', recipient: gone },
    { text: byNumber, value: '5' },
  ];
  t.deepEqual(withoutProcess(await reading(asked)), [
    '1',
    '2',
    'nothing',
    'value "99999999999" is out of range for type integer',
    'of the row',
    '300',
    'invalid input syntax for type integer: "x"',
    'The client disconnected before the response.',
    '5',
  ]);
});

test.serial('whatever is read together is what it is alone', async (t) => {
  const one = fc.record({
    text: fc.constantFrom(byNumber, byNumber, another),
    value: fc.oneof(fc.integer({ min: 0, max: 10 }).map(String), fc.constantFrom('', '99999999999')),
    isFaulty: fc.constantFrom(false, false, false, true),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 80 }), async (asked) => {
      const alone: string[] = [];
      for (const read of asked) alone.push(...(await reading([read])));
      t.deepEqual(withoutProcess(await reading(asked)), withoutProcess(alone));
    }),
    { numRuns: 40 },
  );
});

test.serial('reads of one text share a connection while one runs', async (t) => {
  const outcomes = await reading(Array.from({ length: 30 }, (_, index) => ({ text: byNumber, value: String((index % 9) + 1) })));
  const [first, ...others] = outcomes.map((outcome) => outcome.split(' ')[1]);
  t.is(new Set(others).size, 1);
  t.not(first, others[0]);
});

test.serial('they are not planned for their values, whatever ran before on the connection', async (t) => {
  const planned: Statement = { text: `${modeOf} and $1 <> 'planned'`, bind: ['a'], repeated: true };
  for (const mode of ['force_custom_plan', 'auto']) {
    // Both connections of the pool.
    await Promise.all([1, 2].map(() => withConnection(pool, ({ run }) => run(planned))));
    const outcomes = await reading(Array.from({ length: 10 }, () => ({ text: modeOf, value: 'a' })));
    t.deepEqual(new Set(outcomes), new Set(['auto']), mode);
  }
});

test.serial('a lost connection is the failure of all', async (t) => {
  const ending = 'select pg_terminate_backend(pg_backend_pid()), $1';
  const outcomes = await reading(Array.from({ length: 5 }, (_, index) => ({ text: ending, value: String(index) })));
  t.deepEqual(new Set(outcomes), new Set(['The database is unavailable at present; try again shortly.']));
  t.deepEqual(withoutProcess(await reading([{ text: byNumber, value: '1' }])), ['1']);
});
