import { type EntityType, fieldOf, type Navigation, own, propertyOf } from '../edm/index.js';
import { requireWritable } from '../plan/write/plan-write.js';
import { compileLockAll } from '../sql/compile-lock.js';
import { compileCascade, compileDetach } from '../sql/compile-relations.js';
import { byTable, compileDelete } from '../sql/compile-write.js';
import { lockDependents } from '../sql/followers.js';
import type { Statement } from '../sql/statement.js';
import { extensionOf, recordChange } from './journal.js';
import { byNumber, findRecord } from './locate-record.js';
import { refusedDeletion } from './refusal.js';
import { requireAllowed, requireOpen } from './row-rules.js';
import type { LockedRecord } from './stored-record.js';
import type { WriteTransaction } from './write-scope.js';

/** Deletes a locked record and its dependents; its journal entries stay. */
export async function deleteRecord(type: EntityType, locked: LockedRecord, scope: WriteTransaction): Promise<void> {
  const { connection } = scope;
  // Until here others could refer to it: who did so is waited for, and seen below.
  await connection.defer(compileLockAll(locked.type, [locked.id], 'update'));
  await requireOpen(locked.type, locked, 'delete', connection);
  await requireAllowed(type, locked.id, 'delete', connection);
  await deleteRecords(type, [locked, ...(await lockCascade(type, [locked.id], scope))], scope);
}

/** Removes locked records, which may refer to each other, as the deletion of one of that type. */
async function deleteRecords(type: EntityType, records: readonly LockedRecord[], scope: WriteTransaction): Promise<void> {
  if (records.length === 0) return;
  for (const one of records) await detachDependents(one.type, one, scope);
  for (const { type: own, ids } of byTable(records).values()) await lockDependents(own, ids, scope.connection);
  const refused = (failure: unknown): unknown => refusedDeletion(failure, type, scope);
  // Parts of parts may refer to the whole, with which they go: PostgreSQL cascades to them after it has looked for references.
  await scope.connection.defer(constraints('deferred'));
  // The model lets some records go only after those that refer to them.
  await scope.connection.defer(compileDelete(records), refused);
  await scope.connection.defer(constraints('immediate'), refused);
  for (const { type: own, id, record, now } of records) {
    const change = { before: record, changes: new Map(), id, now, member: scope.member };
    await recordChange(extensionOf(scope.extensions, own), { ...change, after: undefined }, scope);
  }
}

function constraints(moment: 'deferred' | 'immediate'): Statement {
  return { text: `set constraints all ${moment}`, bind: [], unfiltered: true };
}

/**
 * Detaches the entities that reference a deleted one, where the model says so: their representation and thus their ETag
 * change, which foreign keys alone would not do.
 */
async function detachDependents(type: EntityType, { id, record }: LockedRecord, scope: WriteTransaction): Promise<void> {
  for (const { type: name, navigation: property } of type.detaches ?? []) {
    const dependent = own(scope.container.entityTypes, name) as EntityType; // Of the same model.
    const navigation = own(dependent.navigation, property) as Navigation;
    const pointing = Object.entries(navigation.join).map(([column, other]) => ({
      column,
      value: other === '#id' ? id : record.get(propertyOf(type, other)),
    }));
    const key = pointing.flatMap(({ column, value }) => (typeof value === 'string' ? [{ column, value }] : []));
    const columns = Object.keys({ ...navigation.join, ...navigation.mirrors }).filter((column) => mayBeNull(dependent, column));
    if (key.length === pointing.length) await scope.connection.run(compileDetach(dependent, key, columns));
  }
}

function mayBeNull(type: EntityType, column: string): boolean {
  return column.startsWith('#') || fieldOf(type, propertyOf(type, column))?.nullable === true;
}

/**
 * Locks the entities to which a deletion cascades by Rules.DeletesTarget, at any depth. Cascades of foreign keys are
 * followed, but not returned. Rejects records that the caller must not delete.
 */
async function lockCascade(type: EntityType, ids: readonly string[], scope: WriteTransaction): Promise<readonly LockedRecord[]> {
  const locked: LockedRecord[] = [];
  const seen = new Map([[type.table, new Set(ids)]]);
  const ahead = ids.length === 0 ? [] : [{ type, ids }];
  // The list grows during the loop; cycles are visited once.
  for (const from of ahead) {
    for (const { type: name, deletes, ...joined } of from.type.cascadesTo ?? []) {
      const to = own(scope.container.entityTypes, name) as EntityType; // Of the same model.
      const found = unseen(await scope.connection.run(compileCascade({ ...joined, from: from.type.table, to }, from.ids)), to, seen);
      if (found.length === 0) continue;
      if (deletes) locked.push(...(await lockAll(to, found, scope)));
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

async function lockAll(type: EntityType, numbers: readonly string[], scope: WriteTransaction): Promise<readonly LockedRecord[]> {
  const { caller, connection } = scope;
  const all: LockedRecord[] = [];
  for (const number of numbers) {
    const locked = await findRecord(type, byNumber(number), scope);
    if (locked === undefined) continue;
    await connection.defer(compileLockAll(locked.type, [number], 'update'));
    requireWritable(locked.type, 'delete', caller);
    await requireOpen(locked.type, locked, 'delete', connection);
    await requireAllowed(locked.type, number, 'delete', connection);
    all.push(locked);
  }
  return all;
}
