import type { Sequelize } from 'sequelize';
import type { MigrationFile } from './migration-files.js';
import { withConnection } from './run.js';

/** Names of the migrations that the database lacks, or has in another form. */
export async function missingMigrations(sequelize: Sequelize, files: readonly MigrationFile[]): Promise<readonly string[]> {
  const rows = await withConnection(sequelize, (connection) => connection.run({ text: 'SELECT name, sha256 FROM gable_migration', bind: [] }));
  const applied = new Map(rows.map(([name, sha256]) => [name, sha256]));
  return files.filter(({ name, sha256 }) => applied.get(name) !== sha256).map(({ name }) => name);
}
