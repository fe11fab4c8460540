import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.js';
import { openDatabase } from '../database/open.js';
import { pendingMigrations } from '../database/migrate.js';
import { migrationsFolder } from '../files.js';
import { serve } from '../main.js';
import { untilSignal } from './until-signal.js';

/** Text of `gable serve --help`. */
export const help = `gable serve: runs the service on the configured database, whose schema must be up to date (gable migrate).

Usage: gable serve [--port PORT]

Settings come from the environment: PORT, HOST, DATABASE_URL (else an embedded PostgreSQL in .gable),
GABLE_SECRET, GABLE_PUBLIC_URL, GABLE_PUBLIC_METADATA, GABLE_OVER_TOP, GABLE_TOP_MEANING, GABLE_POOL_SIZE.

Examples:
  gable serve
  DATABASE_URL=postgres://user@host/listings PORT=8080 gable serve
`;

/** Serves until SIGINT or SIGTERM. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { port: { type: 'string' } } });
  const config = readConfig({ ...process.env, ...(values.port !== undefined && { PORT: values.port }) });
  const database = await openDatabase(config);
  await requireCurrent(database.sequelize);
  const service = await serve(config, database.sequelize);
  process.stdout.write(`Gable serves ${service.url}/odata\n`);
  await untilSignal();
  await service.stop();
  await database.stop();
  return 0;
}

// Several processes may serve one database; only the person who deploys decides when its schema changes.
async function requireCurrent(sequelize: Parameters<typeof pendingMigrations>[0]): Promise<void> {
  const pending = await pendingMigrations(sequelize, migrationsFolder());
  if (pending.length > 0) throw new ConfigError(`The database lacks ${pending.join(', ')}; run gable migrate first.`);
}
