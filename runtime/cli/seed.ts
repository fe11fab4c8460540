import { parseArgs } from 'node:util';
import { container } from '../../generated/index.js';
import { ConfigError, readConfig } from '../config.js';
import { openDatabase } from '../database/open.js';
import { migrate } from '../database/migrate.js';
import { migrationsFolder } from '../files.js';
import { clientTable } from '../identity/client-store.js';
import { requestTable } from '../store/request-table.js';
import { seedDatabase, type SeedDatabaseOptions } from '../seed/seed-database.js';
import { seedProgress } from './seed-progress.js';

/** Text of `gable seed --help`. */
export const help = `gable seed: fills an empty database with sample listings, after applying pending migrations.

Usage: gable seed [--listings N] [--seed S] [--reset]

  --listings N  how many listings, 2000 unless given; members, offices, media, rooms and history come with them
  --seed S      which listings, 1 unless given; the same number gives the same data
  --reset       empties all sets first

Exit codes: 0 filled, 1 internal error, or the sets are not empty, 2 bad input

Examples:
  gable seed
  DATABASE_URL=postgres://user@host/listings gable seed --listings 100000 --reset
`;

/** Writes the sample data and says how much it was; 2 when it refuses to. */
export async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const database = await openDatabase(readConfig(process.env));
  try {
    await migrate(database.sequelize, migrationsFolder(), [clientTable, requestTable]);
    const started = performance.now();
    const progress = seedProgress(process.stderr, options.listings);
    const { rows } = await seedDatabase(database.sequelize, container, { ...options, onProgress: progress.show }).finally(progress.end);
    process.stdout.write(summary(rows, performance.now() - started));
    return 0;
  } finally {
    await database.stop();
  }
}

function readOptions(args: readonly string[]): SeedDatabaseOptions {
  const { values } = parseArgs({ args: [...args], options: { listings: { type: 'string' }, seed: { type: 'string' }, reset: { type: 'boolean' } } });
  return { listings: whole('listings', values.listings ?? '2000'), seed: whole('seed', values.seed ?? '1'), reset: values.reset ?? false };
}

function whole(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new ConfigError(`--${name} must be a whole number; it is '${text}'.`);
  return Number(text);
}

function summary(rows: { readonly [table: string]: number }, milliseconds: number): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  const lines = Object.entries(rows).map(([name, count]) => `  ${name.padEnd(width)}  ${String(count).padStart(9)}\n`);
  return `Wrote in ${(milliseconds / 1000).toFixed(1)} s:\n${lines.join('')}`;
}
