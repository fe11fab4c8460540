// Depends on PostgreSQL: quoting and plans.

import test from 'ava';
import { fc } from '../support/fast-check.js';
import { connect } from '../../runtime/database/connect.js';
import { mostValued, recurringValues, withValues } from '../../runtime/database/recurring-values.js';
import { withConnection } from '../../runtime/database/run.js';
import type { Connection, Row, Statement } from '../../runtime/sql/statement.js';
import { patient, testDatabase } from '../support/database.js';

async function onConnection(work: (connection: Connection) => Promise<void>): Promise<void> {
  const database = await testDatabase();
  const pool = connect(database.url, { poolSize: 1, ...patient });
  try {
    await withConnection(pool, work);
  } finally {
    await pool.close();
    await database.drop();
  }
}

const pieces = ['a', "'", '"', '\\', '$1', '$2', '{', '}', ',', '\n', '\u00e4', '\u{1f3e0}', ' ', '--', '%', 'NULL'];
const texts = fc.array(fc.constantFrom(...pieces)).map((several) => several.join(''));

test('a statement with its values in the text has the rows of the one with parameters', async (t) => {
  await onConnection(({ run }) =>
    fc.assert(
      fc.asyncProperty(
        fc.option(texts),
        fc.array(fc.option(texts)),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        async (one, several, number) => {
          const statement: Statement = {
            text: `select $1::text as "a $2 ""$1""", '$1', 'it''s $3', $2::text[], $3::bigint, $1::varchar(3), $4::bigint`,
            bind: [one, several, String(number), null],
          };
          const valued = withValues(statement);
          t.deepEqual(valued.bind, []);
          t.deepEqual(await run(valued), await run(statement));
        },
      ),
      { numRuns: 300 },
    ),
  );
});

const ofKind = (kind: string): Statement => ({
  text: 'select id from part where kind = $1::text order by id limit 5',
  bind: [kind],
  repeated: true,
});

test('a statement whose plan depends on the values is prepared with values that recur', async (t) => {
  await onConnection(async ({ run }) => {
    const command = (text: string): Promise<readonly Row[]> => run({ text, bind: [] });
    const prepared = (): Promise<readonly Row[]> =>
      command("select statement, generic_plans::text from pg_prepared_statements where name like 'gable!_v%' escape '!' order by name");
    await command('create temporary table part (id bigint primary key, kind text)');
    await command("insert into part select n, case when n % 1000 = 0 then 'rare' else 'usual' end from generate_series(1, 20000) n");
    await command('create index on part (kind)');
    await command('analyze part');
    for (let times = 0; times < 12; times++) await run(ofKind(`kind ${times}`));
    t.deepEqual(await prepared(), [], 'others cost no prepared statement');
    const first = async (kind: string): Promise<unknown> => (await run(ofKind(kind)))[0]?.[0];
    for (let times = 0; times < 12; times++) t.deepEqual([await first('rare'), await first('usual')], ['1000', '1']);
    t.deepEqual(
      await prepared(),
      ['rare', 'usual'].map((kind) => [`select id from part where kind = '${kind}'::text order by id limit 5`, '4']),
    );
  });
});

const minute = 60_000;

test('values recur after eight runs, for ten minutes, and not more of them than a connection can prepare', (t) => {
  const recurring = recurringValues();
  const nameAfter = (runs: number, value: string, now = 0): string | undefined => {
    const names = Array.from({ length: runs }, () => recurring('gable_1', { text: 'select $1::text', bind: [value] }, now)?.name);
    return names.at(-1);
  };
  t.is(nameAfter(8, 'a'), undefined);
  t.is(nameAfter(1, 'a'), 'gable_v1');
  t.is(recurring('gable_2', { text: 'select $1::int', bind: ['a'] }, 0), undefined, 'another statement has its own');
  t.is(nameAfter(20, 'zero \0 byte'), undefined, 'PostgreSQL accepts no zero byte');
  t.is(nameAfter(20, 'long'.repeat(400)), undefined, 'long values are not kept');
  for (let other = 2; other <= mostValued; other++) t.is(nameAfter(9, `b${other}`), `gable_v${other}`);
  t.is(nameAfter(20, 'one more'), undefined);
  t.is(nameAfter(1, 'a'), 'gable_v1', 'those before it stay');
  t.is(nameAfter(8, 'a', 11 * minute), undefined, 'the data may have become others');
  t.is(nameAfter(1, 'a', 11 * minute), `gable_v${mostValued + 1}`);
});
