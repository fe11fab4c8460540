import type { ConnectionPool } from '../../database/pool.js';
import { runStatement, withClient, withConnection } from '../../database/run.js';
import { blockingMigrations } from './migrate.js';
import { type MigrationFile, type MigrationStep, readMigrationFiles, stepsOf } from './migration-files.js';
import { type MigrationRecord, readRecords } from './migration-record.js';

type MigrationState = 'applied' | 'begun' | 'pending' | 'changed' | 'unknown';

/** A migration of the folder, of the database, or of both. */
export interface MigrationStatus {
  readonly name: string;
  readonly state: MigrationState;
  readonly appliedAt: string | undefined;
  readonly steps: readonly MigrationStep[];
}

/** All migrations, ordered by name; one that the folder lacks is unknown. */
export async function readStatus(pool: ConnectionPool, folder: string): Promise<readonly MigrationStatus[]> {
  const files = await readMigrationFiles(folder);
  const records = await withClient(pool, readRecords);
  const strangers = [...records.values()].filter(({ name }) => !files.some((file) => file.name === name));
  const all = [
    ...files.map((file) => statusOf(file, records.get(file.name))),
    ...strangers.map(({ name, appliedAt }): MigrationStatus => ({ name, state: 'unknown', appliedAt, steps: [] })),
  ];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Estimated row counts of tables, from the server's statistics. */
export async function rowEstimates(pool: ConnectionPool): Promise<ReadonlyMap<string, number>> {
  const text =
    "SELECT relname, greatest(reltuples, pg_stat_get_live_tuples(oid), 0)::bigint::text FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace";
  const rows = await withClient(pool, (client) => runStatement(client, { text, bind: [] }));
  return new Map(rows.map(([name, count]) => [String(name), Number(count)]));
}

function statusOf(file: MigrationFile, record: MigrationRecord | undefined): MigrationStatus {
  const { name } = file;
  if (record === undefined) return { name, state: 'pending', appliedAt: undefined, steps: stepsOf(file) };
  if (record.sha256 !== file.sha256) return { name, state: 'changed', appliedAt: record.appliedAt, steps: [] };
  if (record.appliedAt !== undefined) return { name, state: 'applied', appliedAt: record.appliedAt, steps: [] };
  return { name, state: 'begun', appliedAt: undefined, steps: stepsOf(file).filter(({ number }) => !record.done.has(number)) };
}

/** The state of a database as a service needs to know it. */
export interface SchemaState {
  /** Names of the required migrations that it lacks. */
  readonly missing: readonly string[];
  /** Names of applied migrations that the process does not know. */
  readonly newer: readonly string[];
  readonly isReadOnly: boolean;
}

/**
 * A check of the database's migrations against those of the folder at the start, which the code belongs to. That none is
 * missing is final, since migrations are not undone.
 */
export function schemaProbe(pool: ConnectionPool, folder: string): () => Promise<SchemaState> {
  const known = readMigrationFiles(folder).then((files) => files.map(({ name }) => name));
  // Each check reports the failure.
  known.catch(() => undefined);
  let isCurrent = false;
  return async () => {
    const names = await known;
    const missing = isCurrent ? [] : await blockingMigrations(pool, folder);
    isCurrent = missing.length === 0;
    const newer = isCurrent && names.length > 0 ? await othersApplied(pool, names) : [];
    return { missing, newer, isReadOnly: await isReadOnly(pool) };
  };
}

async function othersApplied(pool: ConnectionPool, names: readonly string[]): Promise<readonly string[]> {
  // Those that are begun count: from their first step on, the database is that of a newer release.
  const all = 'SELECT name FROM gable_migration UNION SELECT name FROM gable_migration_step';
  const text = `SELECT name FROM (${all}) AS migration WHERE name <> ALL($1::text[]) ORDER BY name`;
  const rows = await withConnection(pool, (connection) => connection.run({ text, bind: [names] }));
  return rows.map(([name]) => name ?? '');
}

/** Whether a database has no migration at all, and the migrations that a folder does not have. */
export async function readStrangers(
  pool: ConnectionPool,
  folder: string,
): Promise<{ readonly isEmpty: boolean; readonly strangers: readonly string[] }> {
  const files = await readMigrationFiles(folder);
  const names = [...(await withClient(pool, readRecords)).keys()];
  return { isEmpty: names.length === 0, strangers: names.filter((name) => !files.some((file) => file.name === name)).sort() };
}

// Whether the server is a standby can change at any time.
async function isReadOnly(pool: ConnectionPool): Promise<boolean> {
  const text = "SELECT current_setting('transaction_read_only')";
  const [row] = await withConnection(pool, (connection) => connection.run({ text, bind: [] }));
  return row?.[0] === 'on';
}

/** The tables that the database lacks. */
export async function missingTables(pool: ConnectionPool, names: readonly string[]): Promise<readonly string[]> {
  const rows = await withConnection(pool, (connection) =>
    connection.run({ text: 'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(quote_ident(name)) IS NULL', bind: [names] }),
  );
  return rows.map(([name]) => name ?? '');
}
