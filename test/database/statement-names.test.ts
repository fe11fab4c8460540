import test, { type ExecutionContext } from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import type { Statement } from '../../runtime/sql/statement.js';
import { testDatabase } from '../support/database.js';

test('a reusable statement is prepared once', async (t) =>
  t.deepEqual(await preparedAfter(t, true, [byKey(1), byKey(1), byKey(2)]), ['gable_1', 'gable_2']));

test('another one is not', async (t) => t.deepEqual(await preparedAfter(t, true, [{ text: 'select 1', bind: [] }]), []));

test('none is where a pooler cannot have it', async (t) => t.deepEqual(await preparedAfter(t, false, [byKey(1)]), []));

test('only so many are kept', async (t) => {
  const statements = Array.from({ length: 210 }, (_, index) => byKey(index));
  t.is((await preparedAfter(t, true, statements)).length, 200);
});

function byKey(index: number): Statement {
  return { text: `select $1::text, ${index}`, bind: ['x'], reusable: true };
}

async function preparedAfter(
  t: ExecutionContext,
  prepare: boolean,
  statements: readonly Statement[],
): Promise<readonly (string | null | undefined)[]> {
  const database = await testDatabase();
  const sequelize = connect(database.url, { poolSize: 1, prepare });
  t.teardown(async () => {
    await sequelize.close();
    await database.drop();
  });
  return withConnection(sequelize, async (connection) => {
    for (const [index, statement] of statements.entries()) {
      if (index % 2 === 0) await connection.run(statement);
      else await connection.each(statement, () => undefined);
    }
    const rows = await connection.run({ text: "select name from pg_prepared_statements where name <> '' order by name", bind: [] });
    return rows.map(([name]) => name);
  });
}
