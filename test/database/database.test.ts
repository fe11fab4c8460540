import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { inTransaction } from '../../runtime/database/transaction.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import type { Connection } from '../../runtime/sql/statement.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
test.before(async () => {
  database = await testDatabase();
});
test.after.always(() => database?.drop());

type Run = (text: string, ...bind: readonly (string | null | readonly (string | null)[])[]) => Promise<string>;

/** Runs a scene with a separate pool. */
async function withPool(scene: (run: Run, sequelize: ReturnType<typeof connect>) => Promise<void>, options = {}): Promise<void> {
  const sequelize = connect(database.url, options);
  const run: Run = async (text, ...bind) => JSON.stringify(await withConnection(sequelize, (one) => one.run({ text, bind })));
  await scene(run, sequelize).finally(() => sequelize.close());
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

test('a statement or a wait for a lock that takes too long is 503', (t) =>
  withPool(
    async (run, sequelize) => {
      t.true(isUnavailable(await t.throwsAsync(run('SELECT pg_sleep(5)'))));
      await run('CREATE TABLE locked (id integer)');
      await inTransaction(sequelize, async (holder) => {
        await holder.run({ text: 'LOCK TABLE locked', bind: [] });
        t.true(isUnavailable(await t.throwsAsync(run('SELECT * FROM locked'))));
      });
    },
    { statementTimeout: 300, lockTimeout: 100 },
  ));

test('a pool without a free connection is 503', (t) =>
  withPool(
    async (run, sequelize) => {
      await run('SELECT 1');
      await withConnection(sequelize, async () => {
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
  const sequelize = connect('postgres://nobody@127.0.0.1:1/nothing');
  const failure = await t.throwsAsync(withConnection(sequelize, (one) => one.run({ text: 'SELECT 1', bind: [] })));
  t.true(isUnavailable(failure));
  await sequelize.close();
});

test('what a statement does wrong is thrown as it is', (t) =>
  withPool(async (run) => {
    const failure = await t.throwsAsync(run('SELECT 1 / 0'));
    t.is((failure as Error & { readonly code?: string }).code, '22012');
  }));

const fail = (one: Connection, sqlState: string) =>
  one.run({ text: `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${sqlState}'; END $$`, bind: [] });

test('a transaction that fails on another one is run again, three times at most', (t) =>
  withPool(async (run, sequelize) => {
    await run('CREATE TABLE attempt (number integer)');
    let attempts = 0;
    await inTransaction(sequelize, async (one) => {
      attempts += 1;
      await one.run({ text: 'INSERT INTO attempt VALUES ($1)', bind: [String(attempts)] });
      if (attempts < 3) await fail(one, '40001');
    });
    t.is(await run('SELECT * FROM attempt'), '[["3"]]', 'the attempts that failed left nothing');
    attempts = 0;
    const deadlocked = inTransaction(sequelize, async (one) => {
      attempts += 1;
      await fail(one, '40P01');
    });
    t.true(isUnavailable(await t.throwsAsync(deadlocked)));
    t.is(attempts, 4);
  }));

test('a transaction whose work throws leaves nothing', (t) =>
  withPool(async (run, sequelize) => {
    await run('CREATE TABLE half (number integer)');
    const work = inTransaction(sequelize, async (one) => {
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
    const sequelize = connect(url);
    await withConnection(sequelize, (one) => one.run({ text: 'CREATE TABLE copied AS SELECT 7 AS number', bind: [] }));
    await sequelize.close();
  };
  const template = { template: 'selftest', hash: String(Date.now()), prepare };
  const copies = await Promise.all([testDatabase(template), testDatabase(template)]);
  for (const copy of copies) {
    const sequelize = connect(copy.url);
    t.deepEqual(await withConnection(sequelize, (one) => one.run({ text: 'TABLE copied', bind: [] })), [['7']]);
    await sequelize.close();
    await copy.drop();
  }
  t.is(prepared, 1);
});
