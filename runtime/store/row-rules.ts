import type { EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { WriteOperation } from '../plan/sight.js';
import { compileAllowed } from '../sql/compile-sight.js';
import type { Connection } from '../sql/statement.js';

/** Refuses an operation on a record that the caller's scopes do not permit it on, as the record is now; what it changed is then undone. */
export async function requireAllowed({ table, name }: EntityType, id: string, operation: WriteOperation, connection: Connection): Promise<void> {
  if (connection.sight === undefined) return;
  const rows = await connection.run(compileAllowed(table, id, connection.sight.write(operation, table)));
  if (rows.length === 0) throw errors.rowNotPermitted(operation, name).at(name);
}
