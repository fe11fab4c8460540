import type { Sequelize } from 'sequelize';
import { MigrationError, Umzug, type RunnableMigration } from 'umzug';
import { readMigrationFiles, type MigrationFile } from './migration-files.js';
import { destroyConnection, runStatement, type DatabaseClient } from './run.js';

/**
 * Applies the migrations of a folder that the database does not have yet; several processes may do so at once. The
 * tables are the service's own, which no model knows, and are created where they are missing.
 */
export async function migrate(sequelize: Sequelize, folder: string, tables: readonly string[] = []): Promise<readonly string[]> {
  const files = await readMigrationFiles(folder);
  return withOwnConnection(sequelize, async (client) => {
    await runScript(client, `SELECT pg_advisory_lock(${lockKey})`);
    for (const table of [createTable, ...tables]) await runScript(client, table);
    const applied = await umzugOf(client, files).up().catch(rethrowCause);
    return applied.map((migration) => migration.name);
  });
}

/** The migrations of a folder that the database does not have yet. */
export async function pendingMigrations(sequelize: Sequelize, folder: string): Promise<readonly string[]> {
  const files = await readMigrationFiles(folder);
  return withOwnConnection(sequelize, async (client) => {
    const pending = await umzugOf(client, files).pending();
    return pending.map((migration) => migration.name);
  });
}

/** A migration that is not what it was when this database got it. */
export class ChangedMigrationError extends Error {
  override readonly name = 'ChangedMigrationError';
  readonly exitCode = 2;

  constructor(file: string) {
    super(
      `${file} was changed after it had been applied to this database; a model that is generated anew rewrites it.\n` +
        'Migrations are not made of model changes yet: start on an empty database (for the embedded one, delete .gable),\n' +
        'or, to keep the data, restore the file as it was and put the change into a new file beside it by hand.',
    );
  }
}

// Any number will do, as long as every version of the service uses the same: "gable" in ASCII.
const lockKey = 0x6761626c65;

const createTable = `CREATE TABLE IF NOT EXISTS gable_migration (
  name text PRIMARY KEY,
  sha256 text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`;

// The connection is closed afterwards: that gives the advisory lock back on every path, and a migration may
// run for longer than a request may.
async function withOwnConnection<T>(sequelize: Sequelize, work: (client: DatabaseClient) => Promise<T>): Promise<T> {
  const connection = await sequelize.connectionManager.getConnection({ type: 'write' });
  // The declaration says only `object`; with this dialect it is the driver's client.
  const client = connection as unknown as DatabaseClient;
  try {
    await runScript(client, 'SET statement_timeout TO 0; SET lock_timeout TO 0');
    return await work(client);
  } finally {
    await destroyConnection(sequelize, connection);
  }
}

function umzugOf(client: DatabaseClient, files: readonly MigrationFile[]): Umzug<object> {
  return new Umzug<object>({
    migrations: files.map((file): RunnableMigration<object> => ({ name: file.name, up: () => apply(client, file) })),
    storage: {
      executed: () => appliedNames(client, files),
      // The row is written in the transaction of its file, see `apply`.
      logMigration: async () => {},
      unlogMigration: async () => {
        throw new Error('Migrations are not taken back; write a new one.');
      },
    },
    logger: undefined,
  });
}

async function appliedNames(client: DatabaseClient, files: readonly MigrationFile[]): Promise<string[]> {
  const [exists] = await runStatement(client, { text: "SELECT to_regclass('gable_migration') IS NOT NULL", bind: [] });
  if (exists?.[0] !== 't') return [];
  const rows = await runStatement(client, { text: 'SELECT name, sha256 FROM gable_migration ORDER BY name', bind: [] });
  const applied = new Map(rows.map(([name, sha256]) => [name, sha256]));
  const changed = files.find((file) => applied.has(file.name) && applied.get(file.name) !== file.sha256);
  if (changed !== undefined) throw new ChangedMigrationError(changed.name);
  return [...applied.keys()].map(String);
}

// Umzug puts a sentence of its own around what a migration threw.
function rethrowCause(error: unknown): never {
  throw error instanceof MigrationError ? error.cause : error;
}

// After a failure the transaction ends with its connection, which is closed.
async function apply(client: DatabaseClient, file: MigrationFile): Promise<void> {
  await runScript(client, 'BEGIN');
  try {
    await runScript(client, file.text);
    await runStatement(client, { text: 'INSERT INTO gable_migration (name, sha256) VALUES ($1, $2)', bind: [file.name, file.sha256] });
    await runScript(client, 'COMMIT');
  } catch (error) {
    throw new Error(failureMessage(file, error as Error & { readonly position?: string }), { cause: error });
  }
}

// Several statements in one text need the simple protocol, which a query without values uses.
async function runScript(client: DatabaseClient, text: string): Promise<void> {
  await client.query({ text });
}

function failureMessage(file: MigrationFile, error: Error & { readonly position?: string }): string {
  const { position, message } = error;
  const place = position === undefined ? file.name : `${file.name}:${file.text.slice(0, Number(position) - 1).split('\n').length}`;
  return `${place}: ${message}. Nothing of this file was applied.${extensionAdvice(message)}`;
}

// On many servers the role of a service may create no extension.
function extensionAdvice(message: string): string {
  const [, extension] = /extension "(\w+)"/.exec(message) ?? [];
  if (extension === undefined) return '';
  return `\nLet someone who may do so run \`create extension ${extension}\` in this database, and migrate again; PostgreSQL's contrib package has it.`;
}
