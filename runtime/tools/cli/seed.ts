import { ConfigError, configToMigrate, readConfig } from '../../config/config.js';
import { openDatabase, requireWritable, withDatabase, type Database } from '../embedded/open.js';
import { migrate } from '../migrations/migrate.js';
import { migrationsFolder, type ServedModel } from '../../config/served-model.js';
import { listing } from '../../extensions/listing/listing.js';
import { serviceTables } from '../../features/service-tables.js';
import { seedDatabase, type SeedDatabaseOptions } from '../../extensions/listing/samples/seed-database.js';
import { namingRights } from './missing-right.js';
import { modelHere, requireProject } from './project.js';
import { fillWithSamples, samplesOf } from './samples.js';
import { progressOf } from './progress.js';
import { flag, readOptions, text } from './read-arguments.js';

/** The help text of `gable seed`. */
export const help = `gable seed: applies pending migrations, and fills an empty database with sample data.

Usage: gable seed [--listings N] [--seed S] [--reset] [--json]
       gable seed [--samples N] [--json]

  --listings N  number of listings (default 2000), with their members, offices, media, rooms and history
  --seed S      seed of the generated data (default 1); the same seed gives the same data
  --reset       empty all sets first
  --samples N   in a project with its own model: number of records per type (default 10)
  --json        print one JSON object instead of text: the number of records by type or set

The change log gets a creation of each record, and the history of the listings.

Run it in the folder of a project, with gable.config.* or generated/, or of the package itself.

Exit codes: 0 filled, 1 internal error, 2 bad input, or the sets are not empty

Examples:
  gable seed
  DATABASE_URL=postgres://user@host/listings gable seed --listings 100000 --reset
`;

/** Writes the sample data, and prints its size. */
export async function run(args: readonly string[]): Promise<number> {
  const given = readOptions(args, { listings: text, seed: text, reset: { type: 'boolean' }, samples: text, json: flag });
  const { json, reset = false } = given;
  const options = { listings: whole('listings', given.listings ?? '2000'), seed: whole('seed', given.seed ?? '1'), reset };
  const samples = samplesOf(given.samples);
  requireProject('gable seed');
  const model = await modelHere();
  refuseOthers(Object.keys(given), model === listing);
  return withDatabase(openDatabase(configToMigrate(readConfig(process.env))), async (database) => {
    requireWritable(database, 'gable seed');
    await namingRights(database, 'gable seed', async () => {
      await migrate(database.pool, migrationsFolder(model.generated), serviceTables);
      await (model === listing ? fillListings(database, options, json) : fillProject(database, model, samples, json));
    });
    return 0;
  });
}

// An option without effect would be taken for done, above all --reset.
function refuseOthers(given: readonly string[], isListing: boolean): void {
  const other = given.find((name) => name !== 'json' && (name === 'samples') === isListing);
  if (other !== undefined)
    throw new ConfigError(
      isListing
        ? '--samples is an option of a project; here write --listings N.'
        : `--${other} is no option of a project; write --samples N.`,
    );
}

async function fillListings({ pool }: Database, options: SeedDatabaseOptions, json: boolean): Promise<void> {
  const started = performance.now();
  const progress = progressOf(process.stderr, { total: options.listings, what: 'listings' });
  const { rows } = await seedDatabase(pool, listing.container, { ...options, onProgress: progress.show }).finally(progress.end);
  const milliseconds = performance.now() - started;
  process.stdout.write(json ? `${JSON.stringify({ rows, milliseconds: Math.round(milliseconds) })}\n` : summary(rows, milliseconds));
}

async function fillProject(database: Database, { container }: ServedModel, samples: number, json: boolean): Promise<void> {
  const filled = await fillWithSamples(database.pool, container, samples, json);
  if (samples > 0 && Object.keys(filled.rows).length === 0)
    throw new ConfigError('The sets are not empty, but sample data needs an empty database. Nothing was written.');
  if (json) process.stdout.write(`${JSON.stringify(filled)}\n`);
}

function whole(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new ConfigError(`--${name} must be a whole number, not '${text}'.`);
  return Number(text);
}

function summary(rows: { readonly [table: string]: number }, milliseconds: number): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  const lines = Object.entries(rows).map(([name, count]) => `  ${name.padEnd(width)}  ${String(count).padStart(9)}\n`);
  return `Wrote in ${(milliseconds / 1000).toFixed(1)} s:\n${lines.join('')}`;
}
