import type { Sequelize } from 'sequelize';
import { withClient, type DatabaseClient } from '../database/run.js';
import type { EntityContainer } from '../edm/index.js';
import type { SeedType } from './columns.js';
import { quote } from '../schema/identifier.js';
import { seed, type SeedCounts, type SeedOptions } from './seed.js';
import { SeedError } from './seed-error.js';

/** What to write, and whether what is there may go. */
export interface SeedDatabaseOptions extends SeedOptions {
  /** Empties the sets first; without it, sample data is written into an empty database only. */
  readonly reset?: boolean;
}

/** Fills the database in one transaction, so that a run that fails or is killed leaves nothing. */
export async function seedDatabase(
  sequelize: Sequelize,
  container: EntityContainer,
  options: SeedDatabaseOptions,
): Promise<{ readonly rows: SeedCounts }> {
  checkOptions(options);
  return withClient(sequelize, async (client) => {
    await run(client, begin);
    try {
      const rows = await fill(client, container, options);
      await run(client, 'commit');
      return { rows };
    } catch (failure) {
      // What failed is worth telling, not that the connection to roll back on is gone with it; the server rolls back then.
      await run(client, 'rollback').catch(() => undefined);
      throw failure;
    }
  });
}

// A load may take longer than a request may; the limits of a request come back with the end of the transaction.
const begin = 'begin; set local statement_timeout to 0; set local idle_in_transaction_session_timeout to 0';

// The event log tells listings apart by 25 bits.
const most = 10_000_000;

function checkOptions({ listings, seed: number }: SeedOptions): void {
  if (!Number.isSafeInteger(listings) || listings < 1 || listings > most)
    throw new SeedError(`The number of listings must be a whole number from 1 to ${most}.`);
  if (!Number.isSafeInteger(number) || number < 0) throw new SeedError('The seed must be a whole number, 0 or greater.');
}

async function fill(client: DatabaseClient, container: EntityContainer, options: SeedDatabaseOptions): Promise<SeedCounts> {
  const tables = Object.values(container.entityTypes).map(({ table }) => quote(table));
  if (options.reset) await run(client, `truncate ${tables.join(', ')} restart identity`);
  // Two seeds at once would both find the tables empty.
  else await run(client, `lock table ${tables.join(', ')} in share row exclusive mode`);
  for (const table of tables) await requireEmpty(client, table);
  const counts = await seed(client, container, options);
  for (const [name, count] of Object.entries(counts))
    await goOnFrom(client, quote(container.entityTypes[name as SeedType]?.table ?? name), count);
  for (const table of tables) await run(client, `analyze ${table}`);
  return counts;
}

async function requireEmpty(client: DatabaseClient, table: string): Promise<void> {
  const { rows } = await client.query({ text: `select 1 from ${table} limit 1` });
  if (rows.length > 0)
    throw new SeedError(
      `${table} is not empty, and sample data is written into an empty database only. \`gable seed --reset\` empties all sets first.`,
    );
}

// The next record gets the number after the last one that was loaded.
async function goOnFrom(client: DatabaseClient, table: string, count: number): Promise<void> {
  if (count > 0) await client.query({ text: `select setval(pg_get_serial_sequence($1, '#id'), $2::bigint)`, values: [table, count] });
}

async function run(client: DatabaseClient, text: string): Promise<void> {
  await client.query({ text });
}
