import { targetOf, type EntityType, type StoredRecord } from '../edm/index.js';
import { parseValue } from '../json/parse-json.js';
import { compileContents, compileDropContents } from '../sql/compile-release.js';
import type { Connection, Statement } from '../sql/statement.js';
import { deleteRecords } from './delete-record.js';
import { requireDroppable } from './droppable.js';
import { deletesAlong, goneAlong } from './gone-along.js';
import { itemsOf, valuesAt } from './item-links.js';
import type { WriteScope } from './write-scope.js';

/** Deletes what items of a record contained that are there no more: its contained records that no item of the new value has the mark of. */
export async function dropContents(
  type: EntityType,
  id: string,
  changes: StoredRecord,
  connection: Connection,
  scope: WriteScope,
): Promise<void> {
  for (const [path, navigation] of Object.entries(type.itemNavigation ?? {})) {
    const [member = ''] = Object.keys(navigation.join);
    const items = itemsOf(type, path, member);
    if (navigation.contains === undefined || !changes.has(items.root)) continue;
    const value = changes.get(items.root);
    const kept = typeof value === 'string' ? valuesAt(parseValue(value), items).map(([, mark]) => mark) : [];
    const target = targetOf(scope.container, navigation);
    const gone = { type: target, column: navigation.contains, id, kept };
    await requireDroppable({ name: type.name, path, target }, () => compileContents(gone), connection, scope);
    await droppedAlong(target, () => compileContents(gone), compileDropContents(gone), connection, scope);
  }
}

/** Deletes what a complex value contained, and what that takes along; a statement asks for the numbers of it, another deletes it. */
export async function droppedAlong(
  target: EntityType,
  contents: () => Statement,
  drop: Statement,
  connection: Connection,
  scope: WriteScope,
): Promise<void> {
  const rows = deletesAlong(target, scope.container) ? await connection.run(contents()) : [];
  const along = await goneAlong(
    target,
    rows.map(([number]) => number ?? ''),
    connection,
    scope,
  );
  await connection.defer(drop);
  await deleteRecords(target, along, connection, scope);
}
