import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../../config/config.js';
import { withCode } from '../../errors/migration-codes.js';
import { acquireConnection, type ConnectionPool, type DatabaseClient, destroyConnection, sessionOf } from '../../database/pool.js';
import { runStatement, withClient } from '../../database/run.js';
import { applyMigration, type ApplyOptions } from './apply-migration.js';
import { type MigrationFile, readMigrationFiles, stepsOf } from './migration-files.js';
import { createRecords, forgetSteps, type MigrationRecord, readRecords, refuseChanged } from './migration-record.js';

/**
 * Applies the pending migrations of a folder; several processes may do so concurrently. The service's own tables are
 * created as well.
 */
export async function migrate(
  pool: ConnectionPool,
  folder: string,
  tables: readonly string[] = [],
  options: ApplyOptions = {},
): Promise<readonly string[]> {
  const files = await readMigrationFiles(folder);
  return withOwnConnection(pool, async (client) => {
    await lockMigrations(client, options.onWait);
    await createRecords(client);
    for (const text of tables) await client.query({ text });
    const records = await readRecords(client);
    refuseChanged(files, records);
    const applied: string[] = [];
    for (const file of files) {
      const { appliedAt, done = new Set<number>() } = records.get(file.name) ?? {};
      if (appliedAt !== undefined) continue;
      // Later migrations may depend on the rest of one that is not complete.
      if (!(await applyMigration(client, file, done, options))) break;
      applied.push(file.name);
    }
    return applied;
  });
}

/** The pending migrations without which the service does not work; the last phase of a migration is not required. */
export async function blockingMigrations(pool: ConnectionPool, folder: string): Promise<readonly string[]> {
  const files = await readMigrationFiles(folder);
  return withClient(pool, async (client) => {
    const records = await readRecords(client);
    refuseChanged(files, records);
    const open = files.filter(({ name }) => records.get(name)?.appliedAt === undefined);
    const isBlocking = (file: MigrationFile): boolean =>
      stepsOf(file).some(({ number, phase }) => phase !== 'contract' && !records.get(file.name)?.done.has(number));
    // A file with only a contract phase is still required after a blocking one.
    return open.filter((file, index) => isBlocking(file) || (index > 0 && open.slice(0, index).some(isBlocking))).map(({ name }) => name);
  });
}

/** Runs `work` on a separate connection without time limits, which is closed afterwards. */
export async function withOwnConnection<T>(pool: ConnectionPool, work: (client: DatabaseClient) => Promise<T>): Promise<T> {
  if (sessionOf(pool).isShared) throw new ConfigError(withCode('pooler', throughPooler));
  const client = await acquireConnection(pool);
  try {
    // Closing releases the advisory lock in every case, and a migration may run longer than a request.
    await client.query({ text: 'SET statement_timeout TO 0; SET lock_timeout TO 0; SET idle_in_transaction_session_timeout TO 0' });
    return await work(client);
  } finally {
    await destroyConnection(pool, client);
  }
}

const throughPooler =
  'The database is reached through a connection pooler in transaction mode, where the lock of a migration and its settings would remain on a server connection that others use; set GABLE_MIGRATE_URL to the address of the PostgreSQL server itself.';

// Any number, as long as all versions of the service share it: "gable" in ASCII.
const lockKey = 0x6761626c65;

/**
 * Waits until nobody else migrates. It polls, because a concurrent index build would wait forever for a session that
 * waits in a statement.
 */
async function lockMigrations(client: DatabaseClient, onWait: () => void = () => undefined): Promise<void> {
  for (let isReported = false; ; isReported = true) {
    const [row] = await runStatement(client, { text: `SELECT pg_try_advisory_lock(${lockKey})`, bind: [] });
    if (row?.[0] === 't') return;
    if (!isReported) onWait();
    await delay(100);
  }
}

/**
 * Forgets a migration that was begun and is no longer in the folder; its completed steps stay. The name is required,
 * since a folder older than the database lacks migrations, too.
 */
export async function abandonMigration(
  pool: ConnectionPool,
  folder: string,
  name: string | undefined,
  onWait?: () => void,
): Promise<string> {
  const present = new Set((await readMigrationFiles(folder)).map((file) => file.name));
  return withOwnConnection(pool, async (client) => {
    await lockMigrations(client, onWait);
    await createRecords(client);
    const strangers = [...(await readRecords(client)).values()].filter((record) => !present.has(record.name));
    const given = givenUp(strangers, name);
    await forgetSteps(client, given);
    return given;
  });
}

function givenUp(strangers: readonly MigrationRecord[], name: string | undefined): string {
  const begun = strangers.filter(({ appliedAt }) => appliedAt === undefined).map((record) => record.name);
  const newer = strangers.filter(({ appliedAt }) => appliedAt !== undefined).map((record) => record.name);
  const [first] = begun;
  if (first === undefined)
    throw notAbandoned(
      'There is nothing to abandon: first restore the model and generated/ as they were before the migration, then abandon it.',
    );
  if (newer.length > 0)
    throw notAbandoned(
      `The database has ${newer.join(', ')}, which this folder lacks: the folder is older than the database, and ${begun.join(', ')} may be in progress. Abandon it with the generated/ folder from directly before it.`,
    );
  if (name === undefined)
    throw notAbandoned(
      `${begun.join(', ')} is started in the database but not in this folder. To give it up, run: gable migrate abandon ${first}. If this folder is older than the one that started it, leave it.`,
    );
  if (!begun.includes(name))
    throw notAbandoned(`${name} is not started in the database, or is in this folder; ${begun.join(', ')} can be abandoned.`);
  return name;
}

// A migration that must not be forgotten may belong to a newer model.
function notAbandoned(message: string): ConfigError {
  return new ConfigError(withCode('abandoned', message));
}
