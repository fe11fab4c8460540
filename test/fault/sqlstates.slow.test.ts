// Depends on PostgreSQL: errors of PostgreSQL.

import test, { type ExecutionContext } from 'ava';
import { connect } from '../../runtime/database/connect.js';
import type { Recipient } from '../../runtime/database/cancel.js';
import { withConnection } from '../../runtime/database/run.js';
import { kindOfState, type FailureKind } from '../../runtime/database/failures.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { createPooledStore } from '../../runtime/store/pooled-store.js';
import type { Store } from '../../runtime/store/store.js';
import { until } from '../operation/until.js';
import { patient, testDatabase } from '../support/database.js';
import { startProxy, type FaultProxy } from './proxy.js';
import { startRefusingServer, type Moment } from './refusing-server.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';

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

/** The kinds of states, by PostgreSQL's appendix A. */
const sqlStates: { readonly [state: string]: FailureKind } = {
  '08000': 'lost', // connection exception
  '08001': 'lost', // unable to connect
  '08003': 'lost', // connection does not exist
  '08004': 'lost', // connection rejected
  '08006': 'lost', // connection failure
  '08007': 'lost', // transaction resolution unknown
  '08P01': 'lost', // protocol violation
  '0A000': 'fault', // feature not supported
  '22000': 'invalid', // data exception
  '22001': 'invalid', // string too long
  '22003': 'invalid', // number out of range
  '22007': 'invalid', // invalid datetime format
  '22008': 'invalid', // datetime out of range
  '22011': 'invalid', // substring error
  '22012': 'invalid', // division by zero
  '22021': 'invalid', // character not in repertoire
  '2201B': 'invalid', // invalid regular expression
  '2201E': 'invalid', // invalid argument for logarithm
  '22023': 'invalid', // invalid parameter value
  '22P02': 'invalid', // invalid text representation
  '22P05': 'invalid', // untranslatable character
  '23502': 'invalid', // not null
  '23503': 'invalid', // foreign key
  '23505': 'conflict', // unique
  '23514': 'invalid', // check
  '23P01': 'conflict', // exclusion
  '25006': 'lost', // read-only transaction: this server is no longer the primary
  '25P02': 'fault', // in failed transaction
  '25P03': 'lost', // idle in transaction for too long
  '28000': 'busy', // invalid authorization
  '28P01': 'busy', // invalid password
  '3D000': 'busy', // no such database: while it is being restored
  '40001': 'repeat', // serialization failure
  '40P01': 'repeat', // deadlock
  '42501': 'fault', // insufficient privilege
  '42601': 'fault', // syntax error
  '42703': 'fault', // no such column
  '42P01': 'fault', // no such table
  '53000': 'busy', // insufficient resources
  '53100': 'busy', // disk full
  '53200': 'busy', // out of memory
  '53300': 'busy', // too many connections
  '54000': 'fault', // program limit exceeded: the service's own limits come first
  '54001': 'fault', // statement too complex
  '55P03': 'busy', // lock not available
  '57014': 'busy', // cancelled, by the statement's timeout
  '57P01': 'lost', // admin shutdown
  '57P02': 'lost', // crash shutdown
  '57P03': 'lost', // cannot connect now
  '58030': 'busy', // input or output error
  XX000: 'fault', // internal error
};

test('every state is answered as its kind says, at each point of a request, and the next request finds a connection', async (t) => {
  const database = await testDatabase();
  const pool = connect(database.url, { ...patient, poolSize: 1 });
  t.teardown(async () => {
    await pool.close();
    await database.drop();
  });
  for (const text of setUp) await sequelizeOf(pool).query(text);
  const store = createPooledStore(pool);
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
    const pool = connect(server.url, { ...patient, poolSize: 1 });
    t.teardown(async () => {
      await pool.close();
      server.stop();
      await database.drop();
    });
    const store = createPooledStore(pool);
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
  const pool = connect(database.url, { ...patient, poolSize: 1 });
  t.teardown(async () => {
    await pool.close();
    await database.drop();
  });
  const store = createPooledStore(pool);
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

// Statements wait for a lock of the test, so that the connection breaks while they run, however busy the machine is.
const locked = 'pg_advisory_xact_lock_shared(1)';
const oneRow: Work = (connection) => connection.run({ text: `SELECT ${locked}`, bind: [] });
const manyRows: Work = (connection) =>
  connection.each({ text: `SELECT repeat('x', 1000) FROM ${locked}, generate_series(1, 1000)`, bind: [] }, () => undefined);

interface Break {
  readonly title: string;
  readonly cause: (proxy: FaultProxy) => void;
  readonly repair?: (proxy: FaultProxy) => void;
  /** Milliseconds after which a statement is given up, where nothing else ends it. */
  readonly statementTimeout?: number;
}

/** How the connection to the database breaks: each request is answered with 503, and the next one finds a connection. */
const breaks: readonly Break[] = [
  { title: 'reset', cause: (proxy) => proxy.reset() },
  { title: 'ended', cause: (proxy) => proxy.end() },
  { title: 'refused', cause: (proxy) => proxy.refuse(true), repair: (proxy) => proxy.refuse(false) },
  { title: 'silent', cause: (proxy) => proxy.stall(true), repair: (proxy) => proxy.stall(false), statementTimeout: 3_000 },
  { title: 'cut within an answer', cause: (proxy) => proxy.cutAfter(1), repair: (proxy) => proxy.cutAfter(undefined) },
];

for (const { title, cause, repair, statementTimeout = patient.statementTimeout } of breaks) {
  test(`the connection to the database: ${title}`, async (t) => {
    const { lock, store, proxy } = await startBreakable(t, statementTimeout);
    const ask = (): Promise<number> =>
      statusOf(() => store.read((connection) => connection.run({ text: 'SELECT 1', bind: [] }), recipient));
    for (const work of [oneRow, manyRows]) {
      t.is(await ask(), 200, 'before');
      await lock.take();
      const statuses = Promise.all([statusOf(() => store.read(work, recipient)), statusOf(() => store.transaction(work, recipient))]);
      await until(async () => (await lock.waiting()) === 2);
      cause(proxy);
      await lock.release();
      t.deepEqual(await statuses, [503, 503]);
      repair?.(proxy);
      t.is(await ask(), 200, 'after');
    }
  });
}

interface Breakable {
  readonly store: Store;
  readonly proxy: FaultProxy;
  readonly lock: {
    readonly take: () => Promise<unknown>;
    readonly release: () => Promise<unknown>;
    readonly waiting: () => Promise<number>;
  };
}

async function startBreakable(t: ExecutionContext, statementTimeout: number): Promise<Breakable> {
  const database = await testDatabase();
  const proxy = await startProxy(database.url);
  const pool = connect(proxy.url, { ...patient, poolSize: 2, statementTimeout });
  const direct = connect(database.url, { ...patient, poolSize: 1 });
  t.teardown(async () => {
    await pool.close();
    await direct.close();
    proxy.stop();
    await database.drop();
  });
  const run = (text: string): ReturnType<Connection['run']> => withConnection(direct, (connection) => connection.run({ text, bind: [] }));
  return {
    store: createPooledStore(pool),
    proxy,
    lock: {
      take: () => run('SELECT pg_advisory_lock(1)'),
      release: () => run('SELECT pg_advisory_unlock(1)'),
      waiting: async () =>
        Number((await run("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'"))[0]?.[0]),
    },
  };
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
