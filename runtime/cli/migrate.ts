import { parseArgs } from 'node:util';
import { readConfig } from '../config.js';
import { openDatabase } from '../database/open.js';
import { migrate } from '../database/migrate.js';
import { migrationsFolder } from '../files.js';
import { clientTable } from '../identity/client-store.js';
import { requestTable } from '../store/request-table.js';

/** Text of `gable migrate --help`. */
export const help = `gable migrate: applies the pending migrations of generated/migrations, each in one transaction.

Usage: gable migrate

Example:
  DATABASE_URL=postgres://user@host/listings gable migrate
`;

/** Applies what is pending and says what it was. */
export async function run(args: readonly string[]): Promise<number> {
  parseArgs({ args: [...args], options: {} });
  const database = await openDatabase(readConfig(process.env));
  const applied = await migrate(database.sequelize, migrationsFolder(), [clientTable, requestTable]);
  process.stdout.write(applied.length === 0 ? 'Nothing to apply; the database is up to date.\n' : `${applied.map((name) => `applied ${name}`).join('\n')}\n`);
  await database.stop();
  return 0;
}
