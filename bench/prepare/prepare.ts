import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { container } from '../../generated/index.js';
import { progressOf } from '../../runtime/tools/cli/progress.js';
import { connect } from '../../runtime/database/connect.js';
import { readMigrationFiles } from '../../runtime/tools/migrations/migration-files.js';
import { migrate } from '../../runtime/tools/migrations/migrate.js';
import { migrationsFolder } from '../../runtime/config/served-model.js';
import { serviceTables } from '../../runtime/features/service-tables.js';
import { seedDatabase } from '../../runtime/extensions/listing/samples/seed-database.js';
import { runOnce, unhurried, type DatabaseServer } from './open-server.js';

/** The number of listings that the targets speak of. */
export const usualListings = 100_000;

/** A database with so many listings, made on first use and kept; returns its address. */
export async function prepare(server: DatabaseServer, listings: number, fresh: boolean): Promise<string> {
  const name = listings === usualListings ? 'gable_bench' : `gable_bench_${listings}`;
  const admin = server.urlOf('postgres');
  const mark = await markOf(listings);
  const exists = (await runOnce(admin, 'select 1 from pg_database where datname = $1', [name])).length > 0;
  if (exists && !fresh && (await readMark(server.urlOf(name))) === mark) return server.urlOf(name);
  if (exists) await runOnce(admin, `drop database "${name}"`);
  await runOnce(admin, `create database "${name}"`);
  await fill(server.urlOf(name), listings, mark);
  return server.urlOf(name);
}

// Written last, so that a run that was killed half-way leaves a database that will not be used.
const markTable = 'gable_bench_mark';

async function fill(url: string, listings: number, mark: string): Promise<void> {
  process.stdout.write(`Filling a database with ${listings} listings, once...\n`);
  const pool = connect(url, { poolSize: 2, ...unhurried });
  try {
    await migrate(pool, migrationsFolder(), serviceTables);
    const progress = progressOf(process.stderr, { total: listings, what: 'listings' });
    await seedDatabase(pool, container, { listings, seed: 1, onProgress: progress.show }).finally(progress.end);
  } finally {
    await pool.close();
  }
  // The first reader of a page would otherwise pay for its writer.
  await runOnce(url, 'vacuum analyze');
  await runOnce(url, `create table ${markTable} as select '${mark}'::text as mark`);
}

async function readMark(url: string): Promise<string | undefined> {
  const [table] = await runOnce(url, `select to_regclass('${markTable}')::text`);
  return table === '' ? undefined : (await runOnce(url, `select mark from ${markTable}`))[0];
}

// Another schema, other tables of the service or another model is another database.
async function markOf(listings: number): Promise<string> {
  const files = await readMigrationFiles(migrationsFolder());
  const model = readFileSync(join(migrationsFolder(), '..', 'metadata.xml'), 'utf8');
  const text = [model, listings, JSON.stringify(serviceTables), ...files.map(({ sha256 }) => sha256)].join(' ');
  return createHash('sha256').update(text).digest('hex');
}
