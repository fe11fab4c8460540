import test from 'ava';
import type { Sequelize } from 'sequelize';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { inTransaction } from '../../runtime/database/transaction.js';
import { errors } from '../../runtime/errors/catalogue.js';
import type { ODataError } from '../../runtime/errors/odata-error.js';
import { attempt } from '../../runtime/store/savepoint.js';
import { cellText, type Connection, type Statement } from '../../runtime/sql/statement.js';
import { testDatabase } from '../support/database.js';

const mode = "select current_setting('plan_cache_mode')";
const byKey: Statement = { text: mode, bind: [], reusable: true };
const filter: Statement = { text: `${mode} where $1 <> ''`, bind: ['a'], repeated: true };
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

function alone(sequelize: Sequelize, statement: Statement): Promise<string> {
  return inTransaction(sequelize, async ({ finish }) => {
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
  const sequelize = connect(database.url);
  try {
    t.deepEqual(await withConnection(sequelize, (connection) => connection.run({ text: "select current_setting('jit')", bind: [] })), [
      ['off'],
    ]);
  } finally {
    await sequelize.close();
    await database.drop();
  }
});

// One connection, so that each statement meets what the one before it left.
test('a named filter is planned for its values, whatever ran before it', async (t) => {
  const database = await testDatabase();
  const sequelize = connect(database.url, {
    poolSize: 1,
    statementTimeout: 10_000,
    lockTimeout: 10_000,
    idleInTransactionTimeout: 10_000,
    acquireTimeout: 10_000,
  });
  try {
    const outside = (...statements: readonly Statement[]): Promise<readonly string[]> =>
      withConnection(sequelize, (connection) => modesOf(connection, statements));
    const inside = (...statements: readonly Statement[]): Promise<readonly string[]> =>
      inTransaction(sequelize, (connection) => modesOf(connection, statements));
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
    await t.throwsAsync(inTransaction(sequelize, async (connection) => void (await connection.run(filter), await connection.run(failing))));
    t.deepEqual(await outside(byKey, filter), ['auto', 'force_custom_plan'], 'and so does one that is rolled back');
    await t.throwsAsync(inTransaction(sequelize, async (connection) => void (await connection.run(filter), await connection.run(failing))));
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
      [await alone(sequelize, byKey), await alone(sequelize, filter), ...(await outside(byKey))],
      ['auto', 'force_custom_plan', 'auto'],
      'a transaction that is one packet changes the mode for those behind it',
    );
    t.deepEqual(await outside(alike), ['force_generic_plan']);
    t.is(
      await inTransaction(sequelize, async (connection) => {
        // The session's mode is force_generic_plan, and an aborted transaction accepts no SET.
        const failed = await attempt((part) => part.run(failing).catch(() => Promise.reject(errors.notFound('row'))), connection);
        return (failed as ODataError).status;
      }),
      404,
      'a savepoint is taken back in any mode',
    );
  } finally {
    await sequelize.close();
    await database.drop();
  }
});
