// Depends on PostgreSQL: plans.

import test from 'ava';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import { isPlannedAlike } from '../../runtime/database/compare-plans.js';
import { connect } from '../../runtime/database/connect.js';
import { newChoice, noteComparison, noteRun, type PlanChoice, takeComparison } from '../../runtime/database/plan-choice.js';
import { withConnection } from '../../runtime/database/run.js';
import { inTransaction } from '../../runtime/database/transaction.js';
import { errors } from '../../runtime/errors/catalogue.js';
import type { ODataError } from '../../runtime/errors/odata-error.js';
import { cellText, type Connection, type Statement } from '../../runtime/sql/statement.js';
import { attempt } from '../../runtime/store/savepoint.js';
import { patient, testDatabase } from '../support/database.js';

const mode = "select current_setting('plan_cache_mode')";
const byKey: Statement = { text: mode, bind: [], reusable: true };
const filter: Statement = { text: `${mode} where $1 <> ''`, bind: ['a'], repeated: true };
const other: Statement = { text: `${mode} where $1 <> 'other'`, bind: ['a'], repeated: true };
const first: Statement = { text: `${mode} where $1 <> 'once'`, bind: ['a'] };
const alike: Statement = { text: `${mode} from generate_series(1, $1::int)`, bind: ['1'], repeated: true };
const failing: Statement = { text: `${mode} where 1 / $1::int > 0`, bind: ['0'], repeated: true };

async function modesOf(connection: Connection, statements: readonly Statement[]): Promise<readonly string[]> {
  const modes: string[] = [];
  for (const statement of statements)
    modes.push(
      await connection.run(statement).then(
        ([row]) => row?.[0] ?? '',
        () => 'failed',
      ),
    );
  return modes;
}

function alone(pool: ConnectionPool, statement: Statement): Promise<string> {
  return inTransaction(pool, async ({ finish }) => {
    let found = '';
    await finish?.(statement, (row) => void (found = cellText(row, 0) ?? ''));
    return found;
  });
}

function repeat<Item>(item: Item, times: number): readonly Item[] {
  return Array.from({ length: times }, () => item);
}

test('no statement is compiled before it runs, however expensive it is taken to be', async (t) => {
  const database = await testDatabase();
  const pool = connect(database.url);
  try {
    t.deepEqual(await withConnection(pool, (connection) => connection.run({ text: "select current_setting('jit')", bind: [] })), [['off']]);
  } finally {
    await pool.close();
    await database.drop();
  }
});

// One connection, so that each statement meets what the one before it left.
test('a named filter is planned for its values, whatever ran before it', async (t) => {
  const database = await testDatabase();
  const pool = connect(database.url, {
    poolSize: 1,
    statementTimeout: 10_000,
    lockTimeout: 10_000,
    idleInTransactionTimeout: 10_000,
    acquireTimeout: 10_000,
  });
  try {
    const outside = (...statements: readonly Statement[]): Promise<readonly string[]> =>
      withConnection(pool, (connection) => modesOf(connection, statements));
    const inside = (...statements: readonly Statement[]): Promise<readonly string[]> =>
      inTransaction(pool, (connection) => modesOf(connection, statements));
    t.deepEqual(await outside(byKey, filter, filter, byKey), ['auto', 'force_custom_plan', 'force_custom_plan', 'auto']);
    t.deepEqual(
      await outside(filter, first, byKey),
      ['force_custom_plan', 'force_custom_plan', 'auto'],
      'one without a name is planned anew in every mode',
    );
    t.deepEqual(
      await outside(failing, filter, byKey, failing, byKey),
      ['failed', 'force_custom_plan', 'auto', 'failed', 'auto'],
      'a failure takes its change of mode along',
    );
    t.deepEqual(await inside(byKey, filter, byKey), ['auto', 'force_custom_plan', 'auto'], 'a transaction leaves the mode as it was');
    await t.throwsAsync(inTransaction(pool, async (connection) => void (await connection.run(filter), await connection.run(failing))));
    t.deepEqual(await outside(byKey, filter), ['auto', 'force_custom_plan'], 'and so does one that is rolled back');
    await t.throwsAsync(inTransaction(pool, async (connection) => void (await connection.run(filter), await connection.run(failing))));
    t.deepEqual(await outside(filter), ['force_custom_plan']);
    const [before, after] = [await outside(...repeat(alike, 8)), await outside(...repeat(alike, 4))];
    t.deepEqual(
      [new Set(before), after.at(-1)],
      [new Set(['force_custom_plan']), 'force_generic_plan'],
      'a plan that serves any values is kept',
    );
    t.deepEqual(await outside(first, byKey, alike, byKey, filter), [
      'auto',
      'auto',
      'force_generic_plan',
      'force_generic_plan',
      'force_custom_plan',
    ]);
    t.deepEqual(await outside(...repeat(filter, 12)), repeat('force_custom_plan', 12), 'and one that does not is not');
    t.deepEqual(await inside(alike, first, filter), ['force_generic_plan', 'force_custom_plan', 'force_custom_plan']);
    t.deepEqual(
      [await alone(pool, byKey), await alone(pool, other), ...(await outside(byKey))],
      ['auto', 'force_custom_plan', 'auto'],
      'a transaction that is one packet changes the mode for those behind it',
    );
    t.deepEqual(await outside(alike), ['force_generic_plan']);
    t.is(
      await inTransaction(pool, async (connection) => {
        // The session's mode is force_generic_plan, and an aborted transaction accepts no SET.
        const failed = await attempt((part) => part.run(failing).catch(() => Promise.reject(errors.notFound('row'))), connection);
        return (failed as ODataError).status;
      }),
      404,
      'a savepoint is taken back in any mode',
    );
  } finally {
    await pool.close();
    await database.drop();
  }
});

const minute = 60_000;
const values = ['a'];

function keptChoice(): PlanChoice {
  const choice = newChoice();
  for (let run = 0; run < 8; run++) noteRun(choice, values, 1, 0);
  for (let time = 0; time < 3; time++) if (takeComparison(choice, values, 0)) noteComparison(choice, true, 0);
  return choice;
}

test('a plan for any values is kept once planning for values has come to it three times', (t) => {
  const choice = newChoice();
  t.is(takeComparison(choice, values, 0), undefined, 'a statement that has hardly run is not worth it');
  for (let run = 0; run < 8; run++) noteRun(choice, values, 1, 0);
  for (const kept of [false, false, true]) {
    t.is(takeComparison(choice, values, 0), values);
    t.is(takeComparison(choice, values, 0), undefined, 'one compares at a time');
    noteComparison(choice, true, 0);
    t.is(choice.isKept, kept);
  }
  t.is(takeComparison(choice, values, 9 * minute), undefined);
  t.is(takeComparison(choice, values, 11 * minute), values, 'the data may have become others');
});

test('one that depends on the values is asked for again after ten minutes', (t) => {
  const choice = keptChoice();
  takeComparison(choice, values, 11 * minute);
  noteComparison(choice, false, 11 * minute);
  t.false(choice.isKept);
  t.is(takeComparison(choice, values, 20 * minute), undefined);
  t.is(takeComparison(choice, values, 22 * minute), values);
});

test('a kept plan is compared again for the values of a slow run, and given up where these have another', (t) => {
  const choice = keptChoice();
  const second = 1_000;
  const run = (milliseconds: number, now: number): void => noteRun(choice, [`${milliseconds} ms`], milliseconds, now);
  const asked = (now: number): unknown => takeComparison(choice, values, now);
  for (const milliseconds of [0.3, 0.3, 4]) run(milliseconds, 2 * second);
  t.is(asked(2 * second), undefined, 'a few milliseconds are nothing');
  run(30, 2 * second);
  t.true(choice.isKept, 'the machine may have been busy');
  t.deepEqual(asked(2 * second), ['30 ms']);
  noteComparison(choice, true, 2 * second);
  run(40, 2.5 * second);
  t.is(asked(2.5 * second), undefined, 'busy it may still be');
  run(50, 4 * second);
  t.deepEqual(asked(4 * second), ['50 ms']);
  noteComparison(choice, false, 4 * second);
  t.false(choice.isKept);
  t.is(asked(9 * minute), undefined);
});

test('plans are alike where the values change nothing, and not where one value has other ways than another', async (t) => {
  const database = await testDatabase();
  const pool = connect(database.url, { poolSize: 1, statementTimeout: 60_000 });
  try {
    await withConnection(pool, async ({ run }) => {
      const command = (text: string): Promise<unknown> => run({ text, bind: [] });
      await command('create temporary table part (id bigint primary key, kind text, size int)');
      await command(
        "insert into part select n, case when n % 1000 = 0 then 'rare' else 'usual' end, n % 100 from generate_series(1, 20000) n",
      );
      await command('create index on part (kind)');
      await command('analyze part');
      const isAlike = async (statement: Statement): Promise<boolean> => {
        await command(`prepare asked as ${statement.text}`);
        const alike = await isPlannedAlike(statement, 'asked', async (asked, modes) => {
          if (modes) await command(`set plan_cache_mode to ${modes[0]}`);
          const [row] = await run(asked);
          await command('set plan_cache_mode to auto');
          return row?.[0] ?? '';
        });
        await command('deallocate asked');
        return alike;
      };
      t.true(await isAlike({ text: 'select size from part where id > $1::bigint order by id limit 10', bind: ['5'] }), 'any number');
      t.false(
        await isAlike({ text: 'select size from part where kind = $1::text order by id limit 10', bind: ['rare'] }),
        'a value that few have',
      );
      t.false(await isAlike({ text: 'select count(*) from part a, part b where a.size > $1::int', bind: ['5'] }), 'what may take long');
      t.true(await isAlike({ text: 'select 1', bind: [] }), 'no value');
      const slow = '(select count(*) from part b where b.size = a.size)';
      const page = 'where id > $1::bigint order by id limit 10';
      t.true(await isAlike({ text: `select ${slow} from part a ${page}`, bind: ['5'] }), 'what only the rows of a page run');
      t.false(await isAlike({ text: `select 1 from part a where ${slow} > $1::int order by id limit 10`, bind: ['5'] }), 'in a condition');
      t.false(
        await isAlike({
          text: `select count(of) from (select ${slow} as of from part a offset 0) a where $1::int > 0 limit 10`,
          bind: ['5'],
        }),
        'of all rows',
      );
    });
  } finally {
    await pool.close();
    await database.drop();
  }
});

test('what cannot be explained runs all the same', async (t) => {
  const database = await testDatabase();
  const pool = connect(database.url, { ...patient, poolSize: 1 });
  try {
    await withConnection(pool, async ({ run }) => {
      for (let time = 0; time < 12; time++) t.deepEqual(await run({ text: 'show timezone', bind: [], repeated: true }), [['UTC']]);
      const divided = (bind: string): Promise<unknown> => run({ text: 'select 1 / $1::int', bind: [bind], repeated: true });
      for (let time = 0; time < 12; time++) await t.throwsAsync(divided('0'), { message: 'division by zero' });
      for (let time = 0; time < 12; time++) t.deepEqual(await divided('1'), [['1']]);
    });
  } finally {
    await pool.close();
    await database.drop();
  }
});
