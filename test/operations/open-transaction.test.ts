import test from 'ava';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../runtime/database/connect.js';
import { inTransaction } from '../../runtime/database/transaction.js';
import { errors } from '../../runtime/errors/catalogue.js';
import type { Connection } from '../../runtime/sql/statement.js';
import { attempt, EndedError, openTransaction } from '../../runtime/store/savepoint.js';
import { testDatabase } from '../support/database.js';

const anyone = { isGone: () => false, onGone: () => () => undefined };

function recording(): { readonly connection: Connection; readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    connection: {
      run: async ({ text }) => (await delay(1), texts.push(text), []),
      each: () => Promise.resolve(),
      ahead: () => () => Promise.resolve([]),
      defer: () => Promise.resolve(),
      finish: () => Promise.reject(new Error('It would end the transaction.')),
    },
  };
}

test('changes run one after the other, each behind a savepoint, and one that fails goes back to it', async (t) => {
  const { connection, texts } = recording();
  const open = openTransaction(connection);
  const change = (text: string) => open.transaction((on) => on.run({ text, bind: [] }), anyone);
  const failing = open.transaction(() => Promise.reject(new Error('no')), anyone);
  await Promise.all([change('a'), t.throwsAsync(failing, { message: 'no' }), change('b')]);
  await open.read(async ({ finish }) => t.is(finish, undefined), anyone);
  t.deepEqual(texts, [
    'savepoint inner_change',
    'rollback to savepoint inner_change',
    'release savepoint inner_change',
    'savepoint inner_change',
    'a',
    'release savepoint inner_change',
    'savepoint inner_change',
    'b',
    'release savepoint inner_change',
  ]);
});

test('after its end nothing runs, and what runs is waited for', async (t) => {
  const { connection, texts } = recording();
  const open = openTransaction(connection);
  const read = (text: string) => open.read((on) => on.run({ text, bind: [] }), anyone);
  const [running, waiting] = [read('a'), read('b')];
  await running;
  const refused = t.throwsAsync(
    waiting.then(() => read('c')),
    { instanceOf: EndedError },
  );
  await open.end();
  t.deepEqual(texts.slice(0, 1), ['a']);
  const before = texts.length;
  await refused;
  await t.throwsAsync(read('d'), { instanceOf: EndedError });
  t.is(texts.length, before);
});

const insert = (on: Connection, id: number): Promise<unknown> => on.run({ text: `insert into kept values (${id})`, bind: [] });
const fail = (): Promise<never> => Promise.reject(errors.conflict('no'));

test('a change that fails leaves nothing, though parts of it had failed before', async (t) => {
  const database = await testDatabase();
  const pool = connect(database.url);
  t.teardown(() => pool.close().then(database.drop));
  const left = await inTransaction(pool, async (connection) => {
    await connection.run({ text: 'create table kept (id integer)', bind: [] });
    const open = openTransaction(connection);
    await t.throwsAsync(
      open.transaction(async (part) => (await insert(part, 1), await attempt(fail, part), await fail()), anyone),
      { message: 'no' },
    );
    await t.throwsAsync(
      open.transaction(
        async (part) => (
          await insert(part, 2),
          await openTransaction(part)
            .transaction(fail, anyone)
            .catch(() => undefined),
          await fail()
        ),
        anyone,
      ),
      { message: 'no' },
    );
    await open.transaction(async (part) => (await insert(part, 3), await attempt(fail, part)), anyone);
    return connection.run({ text: 'select id::text from kept', bind: [] });
  });
  t.deepEqual(left, [['3']]);
});
