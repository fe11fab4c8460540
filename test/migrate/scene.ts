import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import { emitSchema } from '../../generator/emit/emit-schema.js';
import { readModel } from '../../generator/generate.js';
import { withHints } from '../../generator/migrate/hints.js';
import { noMigrations, planMigrations, type MigrationTexts } from '../../generator/migrate/plan-migrations.js';
import type { Decisions } from '../../generator/migrate/step.js';
import { connect } from '../../runtime/database/connect.js';
import { findDrift, printDifference } from '../../runtime/tools/migrations/drift.js';
import { migrate, withOwnConnection } from '../../runtime/tools/migrations/migrate.js';
import { withConnection } from '../../runtime/database/run.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { patient, testDatabase } from '../support/database.js';

/** A separate database and folder of migrations. */
export interface Scene {
  readonly url: string;
  readonly folder: string;
  readonly pool: ConnectionPool;
  readonly write: (texts: MigrationTexts) => void;
  readonly apply: () => Promise<readonly string[]>;
  readonly run: (text: string) => Promise<readonly (readonly (string | null)[])[]>;
  /** Every difference between the database and the schema that was written last. */
  readonly drift: () => Promise<readonly string[]>;
}

/** The migrations that a model adds to the existing ones. */
export function migrationsOf(model: string, texts: MigrationTexts, decisions: Decisions): MigrationTexts {
  const { graph } = readModel({ path: 'model.xml', bytes: Buffer.from(model) });
  const { files } = planMigrations(withHints(emitSchema(graph), graph), 'model.xml', { ...noMigrations, texts, decisions });
  return new Map(files.map(({ path, text }) => [path, text]));
}

/** Plays a scene on migrations. */
export async function withMigrations(texts: MigrationTexts, play: (scene: Scene) => Promise<void>): Promise<void> {
  const [database, output] = [await testDatabase(), mkdtempSync(join(tmpdir(), 'gable-migrations-'))];
  const pool = connect(database.url, { ...patient, statementTimeout: 0 });
  let schema: Schema = { extensions: [], tables: [] };
  const write = (written: MigrationTexts): void => {
    for (const [path, text] of written) {
      mkdirSync(dirname(join(output, path)), { recursive: true });
      writeFileSync(join(output, path), text);
    }
    ({ schema } = JSON.parse(written.get('migrations/schema.json') ?? '{}') as { readonly schema: Schema });
  };
  write(texts);
  const folder = join(output, 'migrations');
  try {
    await play({
      url: database.url,
      folder,
      pool,
      write,
      apply: () => migrate(pool, folder),
      run: (text) => withConnection(pool, (connection) => connection.run({ text, bind: [] })),
      drift: async () => (await withOwnConnection(pool, (client) => findDrift(client, schema))).map(printDifference),
    });
  } finally {
    await pool.close();
    await database.drop();
    rmSync(output, { recursive: true });
  }
}
