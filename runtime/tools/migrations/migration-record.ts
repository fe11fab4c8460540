import { withCode } from '../../errors/migration-codes.js';
import type { MigrationFile } from './migration-files.js';
import { runStatement } from '../../database/run.js';
import type { DatabaseClient } from '../../database/pool.js';

/** The error for a migration that changed after it was applied. */
export class ChangedMigrationError extends Error {
  override readonly name = 'ChangedMigrationError';
  readonly exitCode = 2;

  constructor(file: string, isFirst: boolean) {
    super(
      withCode(
        'changed',
        `${file} has changed since it was applied to this database${isFirst ? ', or this is the database of another project (DATABASE_URL)' : ''}.\n` +
          'An applied migration must not change: restore the file, and let `gable generate` write the change into a new one.\n' +
          'After a squash during development, start on an empty database (for the embedded one, delete .gable).',
      ),
    );
  }
}

/** The state of a migration in the database: applied, or begun with some steps done. */
export interface MigrationRecord {
  readonly name: string;
  readonly sha256: string;
  readonly appliedAt: string | undefined;
  /** Completed steps of a partly applied migration. */
  readonly done: ReadonlySet<number>;
}

/** Creates the tables of migration records. */
export async function createRecords(client: DatabaseClient): Promise<void> {
  await client.query({ text: tables });
}

const tables = `CREATE TABLE IF NOT EXISTS gable_migration (
  name text PRIMARY KEY,
  sha256 text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS gable_migration_step (
  name text NOT NULL,
  step integer NOT NULL,
  sha256 text NOT NULL,
  position bigint,
  done boolean NOT NULL,
  PRIMARY KEY (name, step)
)`;

/** The recorded migrations by name; empty without the tables. */
export async function readRecords(client: DatabaseClient): Promise<ReadonlyMap<string, MigrationRecord>> {
  const applied = (await exists(client, 'gable_migration'))
    ? await runStatement(client, { text: 'SELECT name, sha256, applied_at::text FROM gable_migration ORDER BY name', bind: [] })
    : [];
  const begun = (await exists(client, 'gable_migration_step'))
    ? await runStatement(client, {
        text: "SELECT name, min(sha256), array_to_string(array_agg(step) FILTER (WHERE done), ',') FROM gable_migration_step GROUP BY name",
        bind: [],
      })
    : [];
  const records = new Map<string, MigrationRecord>();
  for (const [name, sha256, steps] of begun)
    records.set(String(name), {
      name: String(name),
      sha256: String(sha256),
      appliedAt: undefined,
      done: new Set((steps ?? '').split(',').filter(Boolean).map(Number)),
    });
  for (const [name, sha256, at] of applied)
    records.set(String(name), { name: String(name), sha256: String(sha256), appliedAt: String(at), done: new Set() });
  return records;
}

/** Rejects files that differ from the applied or begun ones. */
export function refuseChanged(files: readonly MigrationFile[], records: ReadonlyMap<string, MigrationRecord>): void {
  const changed = files.find(({ name, sha256 }) => records.has(name) && records.get(name)?.sha256 !== sha256);
  if (changed !== undefined) throw new ChangedMigrationError(changed.name, changed === files[0]);
}

/** Records a step, in its transaction where it has one; `position` is the progress of batches. */
export async function recordStep(
  client: DatabaseClient,
  { name, sha256 }: MigrationFile,
  step: number,
  done: boolean,
  position?: string,
): Promise<void> {
  const text = `INSERT INTO gable_migration_step (name, step, sha256, position, done) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (name, step) DO UPDATE SET position = excluded.position, done = excluded.done`;
  await runStatement(client, { text, bind: [name, String(step), sha256, position ?? null, String(done)] });
}

/** The progress of a step in batches. */
export async function readPosition(client: DatabaseClient, { name }: MigrationFile, step: number): Promise<string | undefined> {
  const [row] = await runStatement(client, {
    text: 'SELECT position::text FROM gable_migration_step WHERE name = $1 AND step = $2',
    bind: [name, String(step)],
  });
  return row?.[0] ?? undefined;
}

/** Records the migration as applied, in the transaction of its last step. */
export async function recordApplied(client: DatabaseClient, { name, sha256 }: MigrationFile): Promise<void> {
  await runStatement(client, { text: 'INSERT INTO gable_migration (name, sha256) VALUES ($1, $2)', bind: [name, sha256] });
  await forgetSteps(client, name);
}

/** Deletes the record of a begun migration. */
export async function forgetSteps(client: DatabaseClient, name: string): Promise<void> {
  await runStatement(client, { text: 'DELETE FROM gable_migration_step WHERE name = $1', bind: [name] });
}

async function exists(client: DatabaseClient, table: string): Promise<boolean> {
  const [row] = await runStatement(client, { text: 'SELECT to_regclass($1) IS NOT NULL', bind: [table] });
  return row?.[0] === 't';
}
