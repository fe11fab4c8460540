import cluster from 'node:cluster';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../../config/config.js';
import { openWhenUp } from '../embedded/open.js';
import { blockingMigrations } from '../migrations/migrate.js';
import { missingTables } from '../migrations/schema-state.js';
import { migrationsFolder } from '../../config/files.js';
import { clientTableName } from '../../identity/client-store.js';
import { serve } from '../../main.js';
import { createLogger } from '../operation/logger.js';
import { generatedHere, modelHere, requireProject } from './project.js';
import { untilSignal } from './until-signal.js';
import { reportServing, superviseWorkers } from './workers.js';

/** The help text of `gable serve`. */
export const help = `gable serve: runs the service on the configured database, whose schema must be up to date (gable migrate).

Usage: gable serve [--port PORT] [--workers N] [--json]

  --port PORT    the port to listen on
  --workers N    processes that share the port and nothing else but the database; one that dies is replaced
  --json         one JSON object instead of text, in a line, once it serves: the address, and how many processes

It is called in the folder of a project, with gable.config.* or generated/, or of the package itself; elsewhere it refuses.
It waits for a database that is not up yet (GABLE_START_TIMEOUT).
Settings come from the environment and gable.json; SETTINGS.md has them, and gable config prints them.
On SIGTERM it stops taking requests, answers those under way and ends; a second SIGTERM ends it at once.

Exit codes: 0 ended in order, 1 internal error, or the database is not ready, 2 bad input

Examples:
  gable serve
  DATABASE_URL=postgres://user@host/listings PORT=8080 gable serve --workers 4
`;

/** Serves until SIGINT or SIGTERM. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { port: { type: 'string' }, workers: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const { port, workers, json } = values;
  requireProject('gable serve');
  const config = readConfig({
    ...process.env,
    ...(port !== undefined && { PORT: port }),
    ...(workers !== undefined && { GABLE_WORKERS: workers }),
  });
  const logger = createLogger(config.logLevel);
  const announce = (url: string): unknown =>
    process.stdout.write(json ? `${JSON.stringify({ url: `${url}/odata`, workers: config.workers })}\n` : `Gable serves ${url}/odata\n`);
  if (config.workers > 1 && cluster.isPrimary) return superviseWorkers(config.workers, logger, announce);
  const database = await openWhenUp(config, config.startTimeout, (sentence) => process.stderr.write(`gable: ${sentence}\n`));
  await requireCurrent(database.sequelize);
  const service = await serve(config, database.sequelize, { model: await modelHere() });
  // The process may be stopped as soon as it reports that it serves.
  const ended = untilSignal(cluster.isWorker ? ['SIGTERM'] : ['SIGINT', 'SIGTERM']);
  if (cluster.isWorker) reportServing(service.url);
  else announce(service.url);
  await ended;
  const { drainDelay, drainTimeout } = config;
  logger.info({ drainDelay, drainTimeout }, 'draining');
  await service.stop(config);
  await database.stop();
  // A worker's channel to the primary would keep it alive.
  if (cluster.isWorker) process.disconnect();
  return 0;
}

// Several processes may serve one database; only a deployment changes its schema.
async function requireCurrent(sequelize: Parameters<typeof blockingMigrations>[0]): Promise<void> {
  const pending = [
    ...(await blockingMigrations(sequelize, migrationsFolder(await generatedHere()))),
    ...(await missingTables(sequelize, [clientTableName])),
  ];
  if (pending.length > 0) throw new ConfigError(`The database lacks ${pending.join(', ')}; run gable migrate first.`);
}
