import { withCode } from '../../errors/migration-codes.js';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectionPool } from '../../database/pool.js';
import { ConfigError } from '../../config/config.js';
import type { Schema } from '../../schema/schema.js';
import { type Difference, findDrift } from './drift.js';
import { withOwnConnection } from './migrate.js';
import { readStatus } from './migration-status.js';

/** Whether the schema is that of the migrations; unknown until it is compared, and while a migration is unfinished. */
export type SchemaMatch = 'current' | 'different' | 'unknown';

/** Milliseconds between comparisons: each creates tables, and is rolled back. */
const pause = 60_000;

/**
 * Compares the schema in the background whenever it is asked, until it is current. Where a comparison is impossible,
 * through a pooler or without the right to create a schema, the answer stays unknown.
 */
export function watchSchema(compare: () => Promise<readonly Difference[] | undefined>, report: Report): () => SchemaMatch {
  let match: SchemaMatch = 'unknown';
  let next = -Infinity;
  return () => {
    if (match === 'current' || performance.now() < next) return match;
    next = performance.now() + pause;
    compare().then(
      (differences) => {
        const before = match;
        match = differences === undefined ? 'unknown' : differences.length === 0 ? 'current' : 'different';
        if (match === 'different' && before !== match) report('warn', { differences }, 'the schema is not that of the migrations');
      },
      (failure: unknown) => report('debug', { failure }, 'the schema could not be compared'),
    );
    return match;
  };
}

type Report = (level: 'warn' | 'debug', data: object, message: string) => void;

/** The differences of a database whose migrations are all applied; otherwise undefined. */
export async function driftOf(pool: ConnectionPool, folder: string): Promise<readonly Difference[] | undefined> {
  const status = await readStatus(pool, folder);
  if (status.some(({ state }) => state !== 'applied')) return undefined;
  return withOwnConnection(pool, (client) => findDrift(client, readSchema(folder)));
}

/** The schema after all migrations of a folder. */
export function readSchema(folder: string): Schema {
  const path = join(folder, 'schema.json');
  if (!existsSync(path)) throw new ConfigError(withCode('noMigrations', `There is no ${path}; run gable generate.`));
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly schema: Schema }).schema;
}
