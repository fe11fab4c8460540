import type { ConnectionPool, DatabaseClient } from '../../../database/pool.js';
import { withClient } from '../../../database/run.js';
import { changeStateColumns, changeStateTable, changeTable, type EntityContainer } from '../../../edm/index.js';
import { quote } from '../../../schema/identifier.js';
import { ConfigError } from '../../../config/config.js';
import { withDeferredIndexes } from './deferred-indexes.js';
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
