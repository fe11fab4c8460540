import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { mostPrepared } from '../../runtime/database/statement-names.js';
import type { Statement } from '../../runtime/sql/statement.js';
import { testDatabase } from '../support/database.js';

const prepared: Statement = {
  text: 'select count(*), min(statement), max(statement) from pg_prepared_statements where $1 = $2',
  bind: ['a', 'a'],
};

function numbered(number: number): Statement {
  return { text: `select ${String(number).padStart(4, '0')}`, bind: [], reusable: true };
}

function range(from: number, to: number): readonly Statement[] {
  return Array.from({ length: to - from }, (_, index) => numbered(from + index));
}

// One connection, so that it meets all of them.
async function preparedAfter(statements: readonly Statement[]): Promise<readonly (string | null)[]> {
  const database = await testDatabase();
  const sequelize = connect(database.url, { poolSize: 1 });
  try {
    return await withConnection(sequelize, async ({ run }) => {
      for (const statement of statements) await run(statement);
      return (await run(prepared))[0] ?? [];
    });
  } finally {
    await sequelize.close();
    await database.drop();
  }
}

test('a connection keeps the statements that were used last', async (t) => {
  const [count, first, last] = await preparedAfter(range(0, 3 * mostPrepared));
  t.deepEqual([count, first, last], [String(mostPrepared), 'select 0400', 'select 0599']);
});

test('one that comes again and again outlives those that came since', async (t) => {
  const [count, first] = await preparedAfter(
    range(1, 3 * mostPrepared).flatMap((statement, index) => (index % 50 === 0 ? [numbered(0), statement] : [statement])),
  );
  t.deepEqual([count, first], [String(mostPrepared), 'select 0000']);
});

test('one that was closed is prepared anew', async (t) => {
  const [, first] = await preparedAfter([...range(0, 2 * mostPrepared), numbered(0)]);
  t.is(first, 'select 0000');
});
