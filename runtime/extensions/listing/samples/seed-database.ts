import type { ConnectionPool, DatabaseClient } from '../../../database/pool.js';
import { withClient } from '../../../database/run.js';
import { changeStateColumns, changeStateTable, changeTable, type EntityContainer } from '../../../edm/index.js';
import { quote } from '../../../schema/identifier.js';
import { ConfigError } from '../../../config/config.js';
import { seed, type SeedCounts, type SeedOptions } from './seed.js';

/** The size of the data, and whether existing data is replaced. */
export interface SeedDatabaseOptions extends SeedOptions {
  /** Empties the sets first; without it, the database must be empty. */
  readonly reset?: boolean;
}

/** Fills the database in one transaction, so that a failed run leaves nothing. */
export async function seedDatabase(
  pool: ConnectionPool,
  container: EntityContainer,
  options: SeedDatabaseOptions,
): Promise<{ readonly rows: SeedCounts }> {
  checkOptions(options);
  return withClient(pool, async (client) => {
    await run(client, begin);
    try {
      const rows = await fill(client, container, options);
      await run(client, 'commit');
      return { rows };
    } catch (failure) {
      // The original failure is reported; the server rolls back a lost connection.
      await run(client, 'rollback').catch(() => undefined);
      throw failure;
    }
  });
}

// Loading may take longer than a request; the limits are restored with the end of the transaction.
const begin = 'begin; set local statement_timeout to 0; set local idle_in_transaction_session_timeout to 0';

// The list of changes has 25 bits for listings.
const most = 10_000_000;

function checkOptions({ listings, seed: number }: SeedOptions): void {
  if (!Number.isSafeInteger(listings) || listings < 1 || listings > most)
    throw new ConfigError(`The number of listings must be a whole number from 1 to ${most}.`);
  if (!Number.isSafeInteger(number) || number < 0) throw new ConfigError('The seed must be a whole number, 0 or greater.');
}

async function fill(client: DatabaseClient, container: EntityContainer, options: SeedDatabaseOptions): Promise<SeedCounts> {
  const stored = Object.values(container.entityTypes).filter(({ events }) => events === undefined);
  const tables = [...stored.map(({ table }) => table), changeTable].map(quote);
  if (options.reset) await run(client, `truncate ${tables.join(', ')} restart identity; ${forgetLog}`);
  // Two concurrent runs would both find the tables empty.
  else await run(client, `lock table ${tables.join(', ')} in share row exclusive mode`);
  for (const table of tables) await requireEmpty(client, table);
  return withDeferredIndexes(client, tables, () => load(client, container, tables, options));
}

async function load(
  client: DatabaseClient,
  container: EntityContainer,
  tables: readonly string[],
  options: SeedDatabaseOptions,
): Promise<SeedCounts> {
  const counts = await seed(client, container, options);
  for (const [name, count] of Object.entries(counts)) {
    const table = container.entityTypes[name]?.table;
    if (table !== undefined && name !== 'EntityEvent') await goOnFrom(client, quote(table), count);
  }
  // The checks of the foreign keys need plans for filled tables.
  for (const table of tables) await run(client, `analyze ${table}`);
  return counts;
}

// The numbers of changes begin again.
const { floor, merged, swept, horizon } = changeStateColumns;
const forgetLog = `update ${quote(changeStateTable)} set ${[floor, merged, swept, horizon].map((name) => `${quote(name)} = 0`).join(', ')}`;

async function requireEmpty(client: DatabaseClient, table: string): Promise<void> {
  const { rows } = await client.query({ text: `select 1 from ${table} limit 1` });
  if (rows.length > 0)
    throw new ConfigError(`${table} is not empty, but sample data needs an empty database. \`gable seed --reset\` empties all sets first.`);
}

// The sequence continues after the last loaded row.
async function goOnFrom(client: DatabaseClient, table: string, count: number): Promise<void> {
  if (count > 0) await client.query({ text: `select setval(pg_get_serial_sequence($1, '#id'), $2::bigint)`, values: [table, count] });
}

async function run(client: DatabaseClient, text: string): Promise<void> {
  await client.query({ text });
}

// Within the definition of an index, as a text of SQL.
const partsOmitted = `'^(CREATE (?:UNIQUE )?INDEX (?:"(?:[^"]|"")+"|[^" ]+) ON) ONLY'`;

// Foreign keys and the indexes that serve no constraint, with the statements that drop and build them, in the order of their
// creation: of two indexes that serve a query equally the planner takes the older one. PostgreSQL describes the index of a
// partitioned table without those of its partitions, by ONLY; without it all of them are built.
const definitions = `
  select "drop", build from (
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as "drop",
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as build, oid, 1 as part
    from pg_constraint
    where conrelid = any($1::regclass[]) and contype = 'f'
    union all
    select format('drop index %s', indexrelid::regclass), regexp_replace(pg_get_indexdef(indexrelid), ${partsOmitted}, '\\1'), indexrelid, 2
    from pg_index
    where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)
  ) parts
  order by part, oid`;

/**
 * Fills tables without their foreign keys and without the indexes that serve no constraint, which are built afterwards: that
 * costs a fraction of adding rows to them one by one. Runs in the caller's transaction; a rollback restores them.
 */
export async function withDeferredIndexes<T>(client: DatabaseClient, tables: readonly string[], fill: () => Promise<T>): Promise<T> {
  const { rows } = await client.query({ text: definitions, values: [tables], rowMode: 'array' });
  for (const [drop] of rows) await client.query({ text: drop });
  const filled = await fill();
  // An index that fits into memory is sorted there; the default of 64 MB is too small for those of text.
  await client.query({ text: `set local maintenance_work_mem to '256MB'` });
  for (const [, build] of rows) await client.query({ text: build });
  return filled;
}
