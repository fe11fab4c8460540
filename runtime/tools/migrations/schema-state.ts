import type { Sequelize } from 'sequelize';
import { blockingMigrations } from './migrate.js';
import { withConnection } from '../../database/run.js';

/**
 * A cached check for required migrations that the database lacks. Once none is missing, the result is final, since
 * migrations are not undone.
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

/** The tables that the database lacks. */
export async function missingTables(sequelize: Sequelize, names: readonly string[]): Promise<readonly string[]> {
  const rows = await withConnection(sequelize, (connection) =>
    connection.run({ text: 'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(quote_ident(name)) IS NULL', bind: [names] }),
  );
  return rows.map(([name]) => name ?? '');
}
