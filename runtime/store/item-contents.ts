import { stepsOf, targetOf, type EntityType, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { requireWritable } from '../plan/write/plan-write.js';
import { compileContents, compileDropContents } from '../sql/compile-release.js';
import type { Connection } from '../sql/statement.js';
import { parseValue, valuesAt } from './item-links.js';
import { requireAllowed } from './row-rules.js';
import type { WriteScope } from './write-scope.js';

/** Deletes what items of a record contained that are there no more: its contained records that no item of the new value has the mark of. */
export async function dropContents({ name, itemNavigation = {} }: EntityType, id: string, changes: StoredRecord, connection: Connection, scope: WriteScope): Promise<void> {
  for (const [path, navigation] of Object.entries(itemNavigation)) {
    const [root = '', ...names] = [...stepsOf(path).steps.map(({ name }) => name), ...Object.keys(navigation.join)];
    if (navigation.contains === undefined || !changes.has(root)) continue;
    const value = changes.get(root);
    const kept = typeof value === 'string' ? valuesAt(parseValue(value), names, root).map(([, mark]) => mark) : [];
    const target = targetOf(scope.container, navigation);
    const gone = { type: target, column: navigation.contains, id, kept };
    await requireDroppable({ name, path }, gone, connection, scope);
    await connection.defer(compileDropContents(gone));
  }
}

// What goes with its item is deleted by the one who writes the items.
async function requireDroppable({ name, path }: { readonly name: string; readonly path: string }, gone: Parameters<typeof compileContents>[0], connection: Connection, { caller }: WriteScope): Promise<void> {
  const { type } = gone;
  const isOffered = type.routes.some(({ operation }) => operation === 'deleteEntity');
  if (isOffered && type.permissions.delete === undefined && connection.sight === undefined) return;
  const rows = await connection.run(compileContents(gone));
  if (rows.length === 0) return;
  requireWritable(type, 'delete', caller);
  if (!isOffered) throw errors.notSaved(name.toLowerCase()).with([errors.readOnly(path, `a ${type.name} cannot be deleted, and goes with its item`).at(path).asDetail()]);
  for (const [number] of rows) await requireAllowed(type, number ?? '', 'delete', connection);
}
