import type { EntityType, RecordConditions } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { WriteOperation } from '../plan/row-filter.js';
import { compileAllowed } from '../sql/compile-target.js';
import type { Connection } from '../sql/statement.js';

/** Rejects an operation that the row filters do not permit on the entity's current state; its changes are rolled back. */
export async function requireAllowed(type: EntityType, id: string, operation: WriteOperation, connection: Connection): Promise<void> {
  const { table, name } = type;
  if (connection.rowFilters === undefined) return;
  const rows = await connection.run(compileAllowed(table, id, connection.rowFilters.write(operation, table)));
  if (rows.length === 0) throw errors.rowNotPermitted(operation, name).at(name);
}

// The state at the time of the lock decides, whatever the request changes.
const decided = new WeakMap<object, Set<string>>();

/** Rejects a change or deletion of an entity that does not meet the model's condition, as it is stored. */
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
  const rows = await connection.run(compileAllowed(table, record.id, connection.rowFilters?.stored(operation, table)));
  if (rows.length === 0) throw errors.recordClosed(operation, name, condition).at(name);
}
