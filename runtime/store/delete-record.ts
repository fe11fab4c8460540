import type { EntityType } from '../edm/index.js';
import { compileDelete } from '../sql/compile-write.js';
import { compileHold } from '../sql/compile-lock.js';
import type { Connection } from '../sql/statement.js';
import { recordChange } from './journal.js';
import { extensionOf } from './create-record.js';
import { lockCascade } from './cascade.js';
import { refusedDeletion } from './refused-deletion.js';
import { detachDependents } from './detach-dependents.js';
import { requireAllowed, requireOpen } from './row-rules.js';
import type { LockedRecord } from './stored-record.js';
import type { WriteScope } from './write-scope.js';

/** Removes a locked record with what hangs on it; what tells of the change stays. */
export async function deleteRecord(type: EntityType, locked: LockedRecord, connection: Connection, scope: WriteScope): Promise<void> {
  // Until here others could refer to it: who did so is waited for, and seen below.
  await connection.defer(compileHold(locked.type, [locked.id]));
  await requireOpen(locked.type, locked, 'delete', connection);
  await requireAllowed(type, locked.id, 'delete', connection);
  await deleteRecords(type, [locked, ...(await lockCascade(type, [locked.id], connection, scope))], connection, scope);
}

/** Removes locked records, which may refer to each other, as the deletion of one of that type. */
export async function deleteRecords(
  type: EntityType,
  records: readonly LockedRecord[],
  connection: Connection,
  scope: WriteScope,
): Promise<void> {
  if (records.length === 0) return;
  for (const one of records) await detachDependents(one.type, one, connection, scope);
  // The model lets some records go only after those that refer to them.
  await connection.defer(compileDelete(records), (failure) => refusedDeletion(failure, type, scope));
  for (const { type: own, id, record, now } of records) {
    const change = { before: record, changes: new Map(), id, now, member: scope.member };
    await recordChange(extensionOf(scope.extensions, own), { ...change, after: undefined }, connection, scope);
  }
}
