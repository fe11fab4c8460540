import { stepsOf, targetOf, type EntityType, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { parseValue } from '../json/parse-json.js';
import { requireWritable } from '../plan/write/plan-write.js';
import { compileContents, compileDropContents } from '../sql/compile-release.js';
import type { Connection, Statement } from '../sql/statement.js';
import { deleteRecords } from './delete-record.js';
import { deletesAlong, goneAlong } from './gone-along.js';
import { valuesAt } from './item-links.js';
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
    await requireDroppable({ name, path, target }, () => compileContents(gone), connection, scope);
    await droppedAlong(target, () => compileContents(gone), compileDropContents(gone), connection, scope);
  }
}

/** Deletes what a complex value contained, and what that takes along; a statement asks for the numbers of it, another deletes it. */
export async function droppedAlong(target: EntityType, contents: () => Statement, drop: Statement, connection: Connection, scope: WriteScope): Promise<void> {
  const rows = deletesAlong(target, scope.container) ? await connection.run(contents()) : [];
  const along = await goneAlong(target, rows.map(([number]) => number ?? ''), connection, scope);
  await connection.defer(drop);
  await deleteRecords(target, along, connection, scope);
}

/** What a record of that name contains within a complex value. */
interface Contained {
  readonly name: string;
  readonly path: string;
  readonly target: EntityType;
}

/** Refuses to take away a value, where what it contains must not be deleted by the caller; the statement asks for the numbers of that. */
export async function requireDroppable({ name, path, target }: Contained, contents: () => Statement, connection: Connection, { caller }: WriteScope): Promise<void> {
  const isOffered = target.routes.some(({ operation }) => operation === 'deleteEntity');
  if (isOffered && target.permissions.delete === undefined && connection.sight === undefined) return;
  const rows = await connection.run(contents());
  if (rows.length === 0) return;
  requireWritable(target, 'delete', caller);
  if (!isOffered) throw errors.notSaved(name.toLowerCase()).with([errors.readOnly(path, `a ${target.name} cannot be deleted, and would go with what contains it`).at(path).asDetail()]);
  for (const [number] of rows) await requireAllowed(target, number ?? '', 'delete', connection);
}
