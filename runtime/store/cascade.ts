import { own, type EntityType } from '../edm/index.js';
import { requireWritable } from '../plan/write/plan-write.js';
import { compileAlong } from '../sql/compile-relations.js';
import { compileHold } from '../sql/compile-lock.js';
import type { Connection } from '../sql/statement.js';
import { findRecord } from './find-record.js';
import { byNumber } from './locate-record.js';
import { requireAllowed, requireOpen } from './row-rules.js';
import type { LockedRecord } from './stored-record.js';
import type { WriteScope } from './write-scope.js';

/**
 * Locks the entities to which a deletion cascades by Rules.DeletesTarget, at any depth. Cascades of foreign keys are
 * followed, but not returned. Rejects what the caller must not delete.
 */
export async function lockCascade(
  type: EntityType,
  ids: readonly string[],
  connection: Connection,
  scope: WriteScope,
): Promise<readonly LockedRecord[]> {
  const locked: LockedRecord[] = [];
  const seen = new Map([[type.table, new Set(ids)]]);
  const ahead = ids.length === 0 ? [] : [{ type, ids }];
  // The list grows during the loop; cycles are visited once.
  for (const from of ahead) {
    for (const { type: name, deletes, ...joined } of from.type.cascadesTo ?? []) {
      const to = own(scope.container.entityTypes, name) as EntityType; // Of the same model.
      const found = unseen(await connection.run(compileAlong({ ...joined, from: from.type.table, to }, from.ids)), to, seen);
      if (found.length === 0) continue;
      if (deletes) locked.push(...(await lockAll(to, found, connection, scope)));
      ahead.push({ type: to, ids: found });
    }
  }
  return locked;
}

function unseen(rows: readonly (readonly (string | null)[])[], { table }: EntityType, seen: Map<string, Set<string>>): readonly string[] {
  const known = seen.get(table) ?? new Set<string>();
  seen.set(table, known);
  const found = [...new Set(rows.flatMap(([number]) => number ?? []))].filter((number) => !known.has(number));
  for (const number of found) known.add(number);
  return found;
}

async function lockAll(
  type: EntityType,
  numbers: readonly string[],
  connection: Connection,
  { container, caller }: WriteScope,
): Promise<readonly LockedRecord[]> {
  const all: LockedRecord[] = [];
  for (const number of numbers) {
    const locked = await findRecord(type, byNumber(number), connection, container);
    if (locked === undefined) continue;
    await connection.defer(compileHold(locked.type, [number]));
    requireWritable(locked.type, 'delete', caller);
    await requireOpen(locked.type, locked, 'delete', connection);
    await requireAllowed(locked.type, number, 'delete', connection);
    all.push(locked);
  }
  return all;
}
