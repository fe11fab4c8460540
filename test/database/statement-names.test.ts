import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { mostPrepared } from '../../runtime/database/statement-names.js';
import type { Statement } from '../../runtime/sql/statement.js';
import { testDatabase } from '../support/database.js';

test('a reusable statement is prepared once', async (t) => {
  const { names } = await preparedAfter([numbered(1), numbered(1), numbered(2)]);
  t.deepEqual(names, ['gable_1', 'gable_2']);
});

test('other statements are not prepared', async (t) => t.deepEqual((await preparedAfter([{ text: 'select 1', bind: [] }])).names, []));

test('no statement is prepared where a pooler does not support it', async (t) =>
  t.deepEqual((await preparedAfter([numbered(1)], { prepare: false })).names, []));

test('a connection keeps the statements that were used last', async (t) => {
  const { texts } = await preparedAfter(range(0, 3 * mostPrepared));
  t.deepEqual([texts.length, texts[0], texts.at(-1)], [mostPrepared, 'select $1::text, 0400', 'select $1::text, 0599']);
});

test('a statement that is used again and again outlives newer ones', async (t) => {
  const { texts } = await preparedAfter(
    range(1, 3 * mostPrepared).flatMap((statement, index) => (index % 50 === 0 ? [numbered(0), statement] : [statement])),
  );
  t.deepEqual([texts.length, texts[0]], [mostPrepared, 'select $1::text, 0000']);
});

test('a statement that was closed is prepared again', async (t) => {
  const { texts } = await preparedAfter([...range(0, 2 * mostPrepared), numbered(0)]);
  t.is(texts[0], 'select $1::text, 0000');
});

function numbered(number: number): Statement {
  return { text: `select $1::text, ${String(number).padStart(4, '0')}`, bind: ['x'], reusable: true };
}

function range(from: number, to: number): readonly Statement[] {
  return Array.from({ length: to - from }, (_, index) => numbered(from + index));
}

/** Names and texts that are prepared on a connection after it has executed the statements, by either method. */
async function preparedAfter(
  statements: readonly Statement[],
  { prepare = true } = {},
): Promise<{ readonly names: readonly (string | null | undefined)[]; readonly texts: readonly (string | null | undefined)[] }> {
  const database = await testDatabase();
  const sequelize = connect(database.url, { poolSize: 1, prepare });
  try {
    const rows = await withConnection(sequelize, async (connection) => {
      for (const [index, statement] of statements.entries()) {
        if (index % 2 === 0) await connection.run(statement);
        else await connection.each(statement, () => undefined);
      }
      return connection.run({ text: "select name, statement from pg_prepared_statements where name <> ''", bind: [] });
    });
    return { names: rows.map(([name]) => name).sort(), texts: rows.map(([, text]) => text).sort() };
  } finally {
    await sequelize.close();
    await database.drop();
  }
}
