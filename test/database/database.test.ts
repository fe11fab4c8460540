// Depends on PostgreSQL: settings.

import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { mostPrepared } from '../../runtime/database/statement-names.js';
import { inTransaction } from '../../runtime/database/transaction.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { durationText } from '../../runtime/json/duration.js';
import { StatementBuilder } from '../../runtime/sql/builder.js';
import { compileCast } from '../../runtime/sql/compile-cast.js';
import type { Connection, Statement } from '../../runtime/sql/statement.js';
import { until } from '../operation/until.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
test.before(async () => {
  database = await testDatabase();
});
test.after.always(() => database?.drop());

type Run = (text: string, ...bind: readonly (string | null | readonly (string | null)[])[]) => Promise<string>;

/** Runs a scene with a separate pool. */
async function withPool(scene: (run: Run, pool: ReturnType<typeof connect>) => Promise<void>, options = {}): Promise<void> {
  const pool = connect(database.url, options);
  const run: Run = async (text, ...bind) => JSON.stringify(await withConnection(pool, (one) => one.run({ text, bind })));
  await scene(run, pool).finally(() => pool.close());
}

const isUnavailable = (error: unknown): boolean => error instanceof ODataError && error.status === 503 && error.code === '1503';

test('every cell comes back as the text that the server sent', (t) =>
  withPool(async (run) => {
    const numbers = 'SELECT 9223372036854775807, 99999999999999.99, 0.1::float8 + 0.2::float8';
    t.is(await run(numbers), '[["9223372036854775807","99999999999999.99","0.30000000000000004"]]');
    const stamps = "SELECT timestamptz '2026-01-02 03:04:05.123456+02', date '2026-01-02', interval '1 day 2 hours'";
    t.is(await run(stamps), '[["2026-01-02 01:04:05.123456+00","2026-01-02","P1DT2H"]]');
    t.is(await run(`SELECT true, NULL, '{"a": 1.10}'::json, 3::oid, now() IS NULL`), '[["t",null,"{\\"a\\": 1.10}","3","f"]]');
  }));

test('binds are texts, nulls and arrays of them, and never text of the statement', (t) =>
  withPool(async (run) => {
    t.is(
      await run('SELECT $1::text, $2::numeric, $3::text[]', "'; DROP TABLE x; --", '1.10', ['a"b', null, 'c,d\\', 'NULL']),
      `[["'; DROP TABLE x; --","1.10","{\\"a\\\\\\"b\\",NULL,\\"c,d\\\\\\\\\\",\\"NULL\\"}"]]`,
    );
    await t.throwsAsync(run('SELECT 1; SELECT 2'), { message: /cannot insert multiple commands/ });
  }));

test('transactions have their level whatever the defaults of the database are', async (t) => {
  const own = await testDatabase();
  const ask = (text: string): Promise<unknown> => {
    const pool = connect(own.url);
    return withConnection(pool, (one) => one.run({ text, bind: [] })).finally(() => pool.close());
  };
  await ask(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} SET default_transaction_isolation TO 'serializable'`);
  t.deepEqual(await ask('SHOW transaction_isolation'), [['read committed']]);
  await own.drop();
});

test('a statement or a wait for a lock that takes too long is 503', (t) =>
  withPool(
    async (run, pool) => {
      await t.throwsAsync(run('SELECT pg_sleep(5)'), { code: '1508' });
      await run('CREATE TABLE locked (id integer)');
      await inTransaction(pool, async (holder) => {
        await holder.run({ text: 'LOCK TABLE locked', bind: [] });
        t.true(isUnavailable(await t.throwsAsync(run('SELECT * FROM locked'))));
      });
    },
    { statementTimeout: 1_000, lockTimeout: 100 },
  ));

test('a pool without a free connection is 503', (t) =>
  withPool(
    async (run, pool) => {
      // A busy machine takes longer to make the connection than a request may wait for one.
      await until(() =>
        run('SELECT 1').then(
          () => true,
          () => false,
        ),
      );
      await withConnection(pool, async () => {
        t.true(isUnavailable(await t.throwsAsync(run('SELECT 1'))));
      });
      t.is(await run('SELECT 1'), '[["1"]]');
    },
    { poolSize: 1, acquireTimeout: 1000 },
  ));

test('a session that is killed costs its statement and nothing else', (t) =>
  withPool(
    async (run) => {
      t.true(isUnavailable(await t.throwsAsync(run('SELECT pg_terminate_backend(pg_backend_pid())'))));
      t.is(await run('SELECT 1'), '[["1"]]');
    },
    { poolSize: 1 },
  ));

test('a server that is not there is 503', async (t) => {
  const pool = connect('postgres://nobody@127.0.0.1:1/nothing');
  const failure = await t.throwsAsync(withConnection(pool, (one) => one.run({ text: 'SELECT 1', bind: [] })));
  t.true(isUnavailable(failure));
  await pool.close();
});

test('what a statement does wrong is thrown as it is', (t) =>
  withPool(async (run) => {
    const failure = await t.throwsAsync(run('SELECT 1 / 0'));
    t.is((failure as Error & { readonly code?: string }).code, '22012');
  }));

const fail = (one: Connection, sqlState: string) =>
  one.run({ text: `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${sqlState}'; END $$`, bind: [] });

test('a transaction that fails on another one is run again, three times at most', (t) =>
  withPool(async (run, pool) => {
    await run('CREATE TABLE attempt (number integer)');
    let attempts = 0;
    await inTransaction(pool, async (one) => {
      attempts += 1;
      await one.run({ text: 'INSERT INTO attempt VALUES ($1)', bind: [String(attempts)] });
      if (attempts < 3) await fail(one, '40001');
    });
    t.is(await run('SELECT * FROM attempt'), '[["3"]]', 'the attempts that failed left nothing');
    attempts = 0;
    const deadlocked = inTransaction(pool, async (one) => {
      attempts += 1;
      await fail(one, '40P01');
    });
    t.true(isUnavailable(await t.throwsAsync(deadlocked)));
    t.is(attempts, 4);
  }));

test('a transaction whose work throws leaves nothing', (t) =>
  withPool(async (run, pool) => {
    await run('CREATE TABLE half (number integer)');
    const work = inTransaction(pool, async (one) => {
      await one.run({ text: 'INSERT INTO half VALUES (1)', bind: [] });
      throw new Error('no');
    });
    await t.throwsAsync(work, { message: 'no' });
    t.is(await run('SELECT count(*) FROM half'), '[["0"]]');
  }));

test('a copy of a template has its content, and the template is prepared once', async (t) => {
  let prepared = 0;
  const prepare = async (url: string): Promise<void> => {
    prepared += 1;
    const pool = connect(url);
    await withConnection(pool, (one) => one.run({ text: 'CREATE TABLE copied AS SELECT 7 AS number', bind: [] }));
    await pool.close();
  };
  const template = { template: 'selftest', hash: String(Date.now()), prepare };
  const copies = await Promise.all([testDatabase(template), testDatabase(template)]);
  for (const copy of copies) {
    const pool = connect(copy.url);
    t.deepEqual(await withConnection(pool, (one) => one.run({ text: 'TABLE copied', bind: [] })), [['7']]);
    await pool.close();
    await copy.drop();
  }
  t.is(prepared, 1);
});

/** Intervals that a column may hold, and the durations that they are (ABNF rule durationValue). */
const durations: readonly (readonly [interval: string, duration: string])[] = [
  ['0', 'PT0S'],
  ['1 day 2 hours', 'P1DT2H'],
  ['-1 day -2 hours', '-P1DT2H'],
  ['-0.5 seconds', '-PT0.5S'],
  ['25 hours 0.000001 seconds', 'PT25H0.000001S'],
  ['1 day -2 hours', 'PT22H'],
  ['-1 day 2 hours', '-PT22H'],
  ['-1 day 0.5 seconds', '-PT23H59M59.5S'],
  ['3 days -0.25 seconds', 'PT71H59M59.75S'],
  ['1 day -24 hours', 'PT0S'],
  ['1 month', 'PT720H'],
  ['1 year 1 day', 'PT8790H'],
  ['1 month -1 day', 'PT696H'],
];

const column = { kind: 'column', type: 'Edm.Duration', collection: false, nullable: false, alias: 't', column: 'd' } as const;

test('an interval is written as a duration, in answers and where it is cast', async (t) => {
  const database = await testDatabase();
  const pool = connect(database.url, { poolSize: 1 });
  t.teardown(async () => {
    await pool.close();
    await database.drop();
  });
  const asText = compileCast({ kind: 'cast', type: 'Edm.String', nullable: true, operand: column }, new StatementBuilder());
  for (const [interval, duration] of durations) {
    const [row] = await withConnection(pool, ({ run }) =>
      run({ text: `select t.d::text, ${asText} from (select $1::interval as d) t`, bind: [interval] }),
    );
    t.deepEqual([durationText(row?.[0] ?? ''), row?.[1]], [duration, duration], interval);
  }
});

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
  const pool = connect(database.url, { poolSize: 1, prepare });
  try {
    const rows = await withConnection(pool, async (connection) => {
      for (const [index, statement] of statements.entries()) {
        if (index % 2 === 0) await connection.run(statement);
        else await connection.each(statement, () => undefined);
      }
      return connection.run({ text: "select name, statement from pg_prepared_statements where name <> ''", bind: [] });
    });
    return { names: rows.map(([name]) => name).sort(), texts: rows.map(([, text]) => text).sort() };
  } finally {
    await pool.close();
    await database.drop();
  }
}
