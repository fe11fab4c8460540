import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import type { Recipient } from '../../runtime/database/recipient.js';
import { kindOfState, sqlStates, type FailureKind } from '../../runtime/database/sqlstates.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { createSequelizeStore } from '../../runtime/store/sequelize-store.js';
import type { Store } from '../../runtime/store/store.js';
import { testDatabase } from '../support/database.js';
import { startProxy } from './proxy.js';
import { startRefusingServer, type Moment } from './refusing-server.js';

const recipient: Recipient = { isGone: () => false, onGone: () => () => undefined };
type Connection = Parameters<Parameters<Store['read']>[0]>[0];
type Work = (connection: Connection) => Promise<unknown>;

/** The answers by kind of failure, for reading and writing. */
const answers: { readonly [kind in FailureKind]: { readonly read: number; readonly write: number } } = {
  invalid: { read: 400, write: 400 },
  conflict: { read: 500, write: 409 },
  busy: { read: 503, write: 503 },
  lost: { read: 503, write: 503 },
  repeat: { read: 503, write: 503 },
  fault: { read: 500, write: 500 },
};

test('every state is answered as its kind says, at each point of a request, and the next request finds a connection', async (t) => {
  t.true(Object.keys(sqlStates).length >= 48);
  const database = await testDatabase();
  const sequelize = connect(database.url, { poolSize: 1 });
  t.teardown(async () => {
    await sequelize.close();
    await database.drop();
  });
  for (const text of setUp) await sequelize.query(text);
  const store = createSequelizeStore(sequelize);
  for (const [state, kind] of Object.entries(sqlStates)) {
    const points: readonly (readonly [place: string, status: number, run: () => Promise<unknown>])[] = [
      ['a read', answers[kind].read, () => store.read((connection) => raise(state, connection), recipient)],
      [
        'rows',
        answers[kind].read,
        () => store.read((connection) => connection.each({ text: raising(state), bind: [] }, () => undefined), recipient),
      ],
      [
        'after rows',
        answers[kind].read,
        () => store.read(async (connection) => (await connection.run({ text: 'SELECT 1', bind: [] }), raise(state, connection)), recipient),
      ],
      ['the first of a transaction', answers[kind].write, () => store.transaction((connection) => raise(state, connection), recipient)],
      [
        'in the middle of a page',
        answers[kind].read,
        () =>
          store.read(
            (connection) => connection.each({ text: failingAfter(1_000, state), bind: [], unhurried: true }, () => undefined),
            recipient,
          ),
      ],
      [
        'the commit',
        answers[kind].write,
        () => store.transaction(({ run }) => run({ text: 'INSERT INTO late VALUES ($1)', bind: [state] }), recipient),
      ],
      [
        'after a write',
        answers[kind].write,
        () =>
          store.transaction(
            async (connection) => (
              await connection.run({ text: 'CREATE TEMPORARY TABLE half (x int)', bind: [] }),
              raise(state, connection)
            ),
            recipient,
          ),
      ],
    ];
    for (const [place, status, run] of points) t.is(await statusOf(run), status, `${state} in ${place}`);
    t.deepEqual(
      await store.read(
        (connection) => connection.run({ text: "SELECT to_regclass('half')::text, count(*) FROM late", bind: [] }),
        recipient,
      ),
      [[null, '0']],
      `${state}: nothing half done stays`,
    );
  }
});

/** Points outside of any statement, where nothing of a request can be at fault. */
const outside: readonly Moment[] = ['connecting', 'setting up', 'idle'];

for (const moment of outside) {
  test(`whatever a server says to a session that is ${moment}: 503 at most, and the next request finds a connection`, async (t) => {
    const database = await testDatabase();
    const server = await startRefusingServer(database.url);
    const sequelize = connect(server.url, { poolSize: 1 });
    t.teardown(async () => {
      await sequelize.close();
      server.stop();
      await database.drop();
    });
    const store = createSequelizeStore(sequelize);
    const ask = (): Promise<number> =>
      statusOf(() => store.read((connection) => connection.run({ text: 'SELECT 1', bind: [] }), recipient));
    for (const state of Object.keys(sqlStates)) {
      t.is(await ask(), 200, `${state}: before`);
      await server.refuse(moment, state);
      const status = await ask();
      t.is(status, moment === 'idle' ? 200 : 503, state);
      server.accept();
    }
  });
}

test('a transaction that failed on another one is run again, three times', async (t) => {
  const database = await testDatabase();
  const sequelize = connect(database.url, { poolSize: 1 });
  t.teardown(async () => {
    await sequelize.close();
    await database.drop();
  });
  const store = createSequelizeStore(sequelize);
  for (const [failures, runs, status] of [
    [3, 4, 200],
    [4, 4, 503],
  ] as const) {
    let run = 0;
    const work: Work = (connection) => (run++ < failures ? raise('40001', connection) : connection.run({ text: 'SELECT 1', bind: [] }));
    t.is(await statusOf(() => store.transaction(work, recipient)), status);
    t.is(run, runs);
  }
});

test('states that nobody listed go with their class', (t) => {
  t.deepEqual(['08ABC', '22ABC', '53ABC', '57ABC', '42ABC', 'ZZZZZ', 'constructor'].map(kindOfState), [
    'lost',
    'invalid',
    'busy',
    'lost',
    'fault',
    'fault',
    'fault',
  ]);
});

const sleep: Work = (connection) => connection.run({ text: 'SELECT pg_sleep(1)', bind: [] });
const rows: Work = (connection) =>
  connection.each({ text: "SELECT repeat('x', 1000) FROM generate_series(1, 1000), pg_sleep(0.5)", bind: [] }, () => undefined);

/** How the way to the database breaks; every one is 503, and the next request is answered. */
const breaks: readonly (readonly [
  title: string,
  cause: (proxy: Awaited<ReturnType<typeof startProxy>>) => void,
  mend: (proxy: Awaited<ReturnType<typeof startProxy>>) => void,
])[] = [
  ['reset', (proxy) => proxy.reset(), () => undefined],
  ['ended', (proxy) => proxy.end(), () => undefined],
  ['refused', (proxy) => proxy.refuse(true), (proxy) => proxy.refuse(false)],
  ['silent', (proxy) => proxy.stall(true), (proxy) => proxy.stall(false)],
  ['cut within an answer', (proxy) => proxy.cutAfter(1), (proxy) => proxy.cutAfter(undefined)],
];

for (const [title, cause, mend] of breaks) {
  test(`the way to the database: ${title}`, async (t) => {
    const database = await testDatabase();
    const proxy = await startProxy(database.url);
    const sequelize = connect(proxy.url, { poolSize: 2, statementTimeout: 1_500 });
    t.teardown(async () => {
      await sequelize.close();
      proxy.stop();
      await database.drop();
    });
    const store = createSequelizeStore(sequelize);
    for (const work of [sleep, rows]) {
      t.is(await statusOf(() => store.read((connection) => connection.run({ text: 'SELECT 1', bind: [] }), recipient)), 200, 'before');
      const statuses = [statusOf(() => store.read(work, recipient)), statusOf(() => store.transaction(work, recipient))];
      await new Promise((done) => setTimeout(done, 200));
      cause(proxy);
      t.deepEqual(await Promise.all(statuses), [503, 503]);
      mend(proxy);
      t.is(await statusOf(() => store.read((connection) => connection.run({ text: 'SELECT 1', bind: [] }), recipient)), 200, 'after');
    }
  });
}

// A deferred constraint that fails on request.
const setUp: readonly string[] = [
  'CREATE TABLE late (state text)',
  "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = NEW.state; END $$",
  'CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail()',
  "CREATE FUNCTION fail_with(state text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = state; END $$",
];

function failingAfter(rows: number, state: string): string {
  return `SELECT CASE WHEN i > ${rows} THEN fail_with('${state}') ELSE repeat('x', 1000) END FROM generate_series(1, ${rows} + 1) i`;
}

function raising(state: string): string {
  return `DO $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '${state}'; END $$`;
}

function raise(state: string, { run }: Connection): Promise<unknown> {
  return run({ text: raising(state), bind: [] });
}

async function statusOf(run: () => Promise<unknown>): Promise<number> {
  try {
    await run();
    return 200;
  } catch (failure) {
    return failure instanceof ODataError ? failure.status : 500;
  }
}
