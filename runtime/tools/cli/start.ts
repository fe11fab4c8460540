import cluster from 'node:cluster';
import { ConfigError, configToMigrate, readConfig, type Config } from '../../config/config.js';
import { openDatabase, requireWritable, type Database } from '../embedded/open.js';
import { migrate } from '../migrations/migrate.js';
import { withConnection } from '../../database/run.js';
import { migrationsFolder } from '../../config/served-model.js';
import { listing } from '../../extensions/listing/listing.js';
import { serviceTables } from '../../features/service-tables.js';
import { requireFreePort } from '../../listen.js';
import { serve } from '../../main.js';
import { seedDatabase } from '../../extensions/listing/samples/seed-database.js';
import { introduce, printIntroduction } from './introduce.js';
import { reportWaiting } from './migrate-ways.js';
import { namingRights } from './missing-right.js';
import { modelHere, requireProject } from './project.js';
import { progressOf } from './progress.js';
import { fillWithSamples, samplesOf, type Samples } from './samples.js';
import { warnOfNewer, warnOfServer } from './serve.js';
import { untilSignal } from './until-signal.js';
import { reportServing } from './workers.js';
import { flag, readOptions, text } from './read-arguments.js';

/** The help text of `gable start`. */
export const help = `gable start: serves the model with sample data, and prints requests to try.

Usage: gable start [--port PORT] [--listings N | --samples N] [--json]

  --port PORT   port to listen on (default: PORT, or 4004)
  --listings N  number of sample listings for the model of this package (default 2000)
  --samples N   number of sample records per type for the model of a project (default 10)
  --json        print one JSON line instead of text when it serves: address, token, explorer, requests to try, samples

The first start creates and fills the database: an embedded PostgreSQL in .gable, or the server in DATABASE_URL.
In a project, a folder with gable.config.* or generated/, it serves the project's model;
elsewhere the listing model, and only on an embedded PostgreSQL.

Exit codes: 0 normal exit, 1 internal error, or the database cannot be prepared, 2 bad input

Examples:
  npm start
  gable start --port 8080 --listings 500
  gable start --json > service.json &
`;

/** Sets up what is missing, serves, and waits for a signal. */
export async function run(args: readonly string[]): Promise<number> {
  const values = readOptions(args, { port: text, listings: text, samples: text, json: flag });
  const config = readConfig({ ...process.env, ...(values.port !== undefined && { PORT: values.port }) });
  if (config.databaseUrl !== undefined) requireProject('gable start with DATABASE_URL');
  const [listings, samples] = [listingsOf(values.listings ?? '2000'), samplesOf(values.samples)];
  const model = await modelHere();
  // Before a database is created and filled.
  if (!cluster.isWorker) await requireFreePort(config);
  const database = await openDatabase(config);
  requireWritable(database, 'gable start');
  const filled = await namingRights(database, 'gable start', async () => {
    await prepareSchema(config, database, migrationsFolder(model.generated));
    warnOfServer(database, config);
    await warnOfNewer(database, migrationsFolder(model.generated), config);
    if (model === listing) return seedWhenEmpty(database, listings, values.json);
    return fillWithSamples(database.pool, model.container, samples, values.json);
  });
  const service = await serve(config, database.pool, { model, pages: true });
  const ended = untilSignal();
  const introduction = await introduce(`${service.url}/odata`, config, model, database);
  const shown = { ...introduction, pages: service.pages };
  const introduced = values.json ? `${JSON.stringify({ ...shown, samples: filled })}\n` : printIntroduction(shown);
  // A worker is that of gable dev.
  if (cluster.isWorker) reportServing(service.url, introduced);
  else process.stdout.write(introduced);
  await ended;
  await service.stop(config);
  await database.stop();
  if (cluster.isWorker) process.disconnect();
  return 0;
}

// Applies pending migrations, through the direct address if there is one.
async function prepareSchema(config: Config, { pool }: Database, folder: string): Promise<void> {
  const direct = config.migrateUrl === undefined ? undefined : await openDatabase(configToMigrate(config));
  await migrate(direct?.pool ?? pool, folder, serviceTables, { onWait: reportWaiting }).finally(direct?.stop);
}

function listingsOf(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new ConfigError(`--listings must be a whole number from 1 to 9999999, not '${text}'.`);
  return Number(text);
}

// Fills an empty database with sample data, and prints how much.
async function seedWhenEmpty({ pool }: Database, listings: number, json: boolean): Promise<Samples> {
  const [row] = await withConnection(pool, (connection) => connection.run({ text: 'select 1 from "Member" limit 1', bind: [] }));
  if (row !== undefined) return { rows: {}, refused: [] };
  if (!json) process.stdout.write(`Filling the database with ${listings} sample listings...\n`);
  const progress = progressOf(process.stderr, { total: listings, what: 'listings' });
  const { rows } = await seedDatabase(pool, listing.container, { listings, seed: 1, onProgress: progress.show }).finally(progress.end);
  return { rows, refused: [] };
}
