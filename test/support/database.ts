import { createHash, randomBytes } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import { connect } from '../../runtime/database/connect.js';
import { startEmbedded, type EmbeddedDatabase } from '../../runtime/tools/embedded/start.js';
import { withConnection } from '../../runtime/database/run.js';
import type { Connection } from '../../runtime/sql/statement.js';

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** A database to be prepared once and copied for every test file; another `hash` means another content. */
interface Template {
  readonly template: string;
  readonly hash: string;
  readonly prepare: (url: string) => Promise<void>;
}

/**
 * Time limits for tests' connections, in milliseconds: parallel compilation stops the process for seconds on a slow
 * machine, and a wait for a lock would time out.
 */
export const patient = { acquireTimeout: 30_000, lockTimeout: 30_000, statementTimeout: 30_000 };

/** The same as settings of a service or a command. */
export const patientSettings = {
  GABLE_ACQUIRE_TIMEOUT: String(patient.acquireTimeout),
  GABLE_LOCK_TIMEOUT: String(patient.lockTimeout),
  GABLE_STATEMENT_TIMEOUT: String(patient.statementTimeout),
};

/** A new database on the server of DATABASE_URL, or else on an embedded one that the test files share: empty, or a copy of a template. */
export async function testDatabase(source?: Template): Promise<TestDatabase> {
  users += 1;
  shared ??= openServer();
  const server = await shared;
  try {
    const name = `gable_test_${randomBytes(8).toString('hex')}`;
    await own(server, name);
    if (source === undefined) await execute(server.admin, `CREATE DATABASE ${name}`);
    else await copyTemplate(server, name, source);
    return { url: urlOf(server.url, name), drop: () => dropOwn(server, name) };
  } catch (error) {
    await leave(server);
    throw error;
  }
}

interface TestServer {
  readonly url: string;
  readonly admin: ConnectionPool;
  readonly owner: Owner;
  readonly embedded: EmbeddedDatabase | undefined;
}

let shared: Promise<TestServer> | undefined;
let users = 0;

async function openServer(): Promise<TestServer> {
  const given = process.env['DATABASE_URL'];
  const embedded =
    given === undefined ? await startEmbedded({ directory: embeddedDirectory(), durable: false, lingerSeconds: 3 }) : undefined;
  const url = given ?? embedded?.url ?? '';
  const admin = connect(url, { poolSize: 2, statementTimeout: 0, lockTimeout: 0, idleInTransactionTimeout: 0, acquireTimeout: 60_000 });
  const server = { url, admin, owner: await openOwner(admin), embedded };
  await dropAbandoned(server);
  return server;
}

// A copy of a database is some 300 new files, which a disk takes ten times as long for as memory does.
function embeddedDirectory(): string {
  return join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), `gable-test-${userInfo().uid}`);
}

function hasRoom(folder: string): boolean {
  if (process.env['TMPDIR'] !== undefined || !existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 4 * 1024 ** 3;
}

/** One connection for the life of the process; its advisory locks say which databases are in use. */
interface Owner {
  readonly run: Connection['run'];
  readonly release: () => Promise<void>;
}

function openOwner(admin: ConnectionPool): Promise<Owner> {
  return new Promise((opened, failed) => {
    const held = withConnection(
      admin,
      (connection) =>
        new Promise<void>((free) => {
          opened({ run: oneAfterAnother(connection.run), release: () => (free(), held) });
        }),
    );
    held.catch(failed);
  });
}

// A client of the driver takes one statement at a time.
function oneAfterAnother(run: Connection['run']): Connection['run'] {
  let last: Promise<unknown> = Promise.resolve();
  return (statement) => {
    const next = last.then(() => run(statement));
    last = next.catch(() => undefined);
    return next;
  };
}

// The server gives the lock back when the process ends, however it ends.
async function own(server: TestServer, name: string): Promise<void> {
  await server.owner.run({ text: 'SELECT pg_advisory_lock(hashtextextended($1, 0))', bind: [name] });
}

async function disown(server: TestServer, name: string): Promise<void> {
  await server.owner.run({ text: 'SELECT pg_advisory_unlock(hashtextextended($1, 0))', bind: [name] });
}

async function dropAbandoned(server: TestServer): Promise<void> {
  for (const name of await databases(server, 'gable\\_test\\_%')) {
    const [row] = await server.owner.run({ text: 'SELECT pg_try_advisory_lock(hashtextextended($1, 0))', bind: [name] });
    if (row?.[0] !== 't') continue;
    await execute(server.admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await disown(server, name);
  }
}

async function dropOwn(server: TestServer, name: string): Promise<void> {
  await execute(server.admin, `DROP DATABASE ${name} WITH (FORCE)`);
  await disown(server, name);
  await leave(server);
}

async function leave(server: TestServer): Promise<void> {
  users -= 1;
  if (users > 0) return;
  shared = undefined;
  await server.owner.release();
  await server.admin.close();
  await server.embedded?.stop();
}

// An advisory lock keeps other processes out, but not this one, whose session holds it already.
let copying: Promise<void> = Promise.resolve();

function copyTemplate(server: TestServer, name: string, source: Template): Promise<void> {
  const copied = copying.then(() => copyLocked(server, name, source));
  copying = copied.catch(() => undefined);
  return copied;
}

// The lock is held until the copy is made, because nobody may be connected to a database that is being copied.
async function copyLocked(server: TestServer, name: string, { template, hash, prepare }: Template): Promise<void> {
  const key = createHash('sha256').update(`${template}:${hash}`).digest('hex').slice(0, 16);
  const source = `gable_template_${template}_${key}`;
  await own(server, `gable_template_${template}`);
  try {
    const existing = await databases(server, `gable\\_template\\_${template}\\_%`);
    if (!existing.includes(source)) await buildTemplate(server, source, existing, prepare);
    await execute(server.admin, `CREATE DATABASE ${name} TEMPLATE ${source}`);
  } finally {
    await disown(server, `gable_template_${template}`);
  }
}

// It gets its name when it is whole, so that a run that was killed half-way leaves nothing that looks usable.
async function buildTemplate(server: TestServer, source: string, outdated: readonly string[], prepare: Template['prepare']): Promise<void> {
  for (const name of outdated) await execute(server.admin, `DROP DATABASE ${name} WITH (FORCE)`);
  await execute(server.admin, `CREATE DATABASE ${source}_new`);
  await prepare(urlOf(server.url, `${source}_new`));
  await server.owner.run({
    text: 'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1',
    bind: [`${source}_new`],
  });
  await execute(server.admin, `ALTER DATABASE ${source}_new RENAME TO ${source}`);
}

async function databases(server: TestServer, pattern: string): Promise<readonly string[]> {
  const rows = await server.owner.run({ text: 'SELECT datname FROM pg_database WHERE datname LIKE $1', bind: [pattern] });
  return rows.map((row) => row[0] ?? '');
}

async function execute(admin: ConnectionPool, text: string): Promise<void> {
  await withConnection(admin, (connection) => connection.run({ text, bind: [] }));
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
