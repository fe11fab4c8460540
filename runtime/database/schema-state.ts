import type { Sequelize } from 'sequelize';
import { blockingMigrations } from './migrate.js';
import { withConnection } from './run.js';

/**
 * A question to the database that may be asked often: which migrations it lacks that the service cannot do without.
 * Once it lacks none, the answer to anything is enough, since migrations are not taken back.
 */
export function schemaProbe(sequelize: Sequelize, folder: string): () => Promise<readonly string[]> {
  let isCurrent = false;
  return async () => {
    if (isCurrent) {
      await withConnection(sequelize, (connection) => connection.run({ text: 'SELECT 1', bind: [] }));
      return [];
    }
    const missing = await blockingMigrations(sequelize, folder);
    isCurrent = missing.length === 0;
    return missing;
  };
}

/** Which of these tables the database does not have. */
export async function missingTables(sequelize: Sequelize, names: readonly string[]): Promise<readonly string[]> {
  const rows = await withConnection(sequelize, (connection) =>
    connection.run({ text: 'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(quote_ident(name)) IS NULL', bind: [names] }),
  );
  return rows.map(([name]) => name ?? '');
}
