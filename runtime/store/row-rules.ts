import type { EntityType, RecordConditions } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { WriteOperation } from '../plan/sight.js';
import { compileAllowed } from '../sql/compile-sight.js';
import type { Connection } from '../sql/statement.js';

/** Refuses an operation on a record that the caller's scopes do not permit it on, as the record is now; what it changed is then undone. */
export async function requireAllowed(
  { table, name }: EntityType,
  id: string,
  operation: WriteOperation,
  connection: Connection,
): Promise<void> {
  if (connection.sight === undefined) return;
  const rows = await connection.run(compileAllowed(table, id, connection.sight.write(operation, table)));
  if (rows.length === 0) throw errors.rowNotPermitted(operation, name).at(name);
}

// What a record was when it was locked decides, whatever the request makes of it and of what it leads to.
const decided = new WeakMap<object, Set<string>>();

/** Refuses to change or delete a record that does not meet what the model asks of it for that, as it is stored. */
export async function requireOpen(
  { table, name, conditions }: EntityType,
  record: { readonly id: string },
  operation: keyof RecordConditions,
  connection: Connection,
): Promise<void> {
  const condition = conditions?.[operation];
  const known = decided.get(record) ?? new Set();
  if (condition === undefined || known.has(operation)) return;
  decided.set(record, known.add(operation));
  const rows = await connection.run(compileAllowed(table, record.id, connection.sight?.stored(operation, table)));
  if (rows.length === 0) throw errors.recordClosed(operation, name, condition).at(name);
}
