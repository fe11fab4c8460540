import type { EntityType } from '../edm/index.js';
import { compileDelete } from '../sql/compile-write.js';
import type { Connection } from '../sql/statement.js';
import { insertCompanions } from './companion-records.js';
import { extensionOf } from './create-record.js';
import { refusedDeletion } from './refused-deletion.js';
import { releaseDependents } from './release-dependents.js';
import { requireAllowed } from './row-rules.js';
import type { LockedRecord } from './stored-record.js';
import type { WriteScope } from './write-scope.js';

/** Removes a locked record with what hangs on it; what tells of the change stays. */
export async function deleteRecord(type: EntityType, locked: LockedRecord, connection: Connection, scope: WriteScope): Promise<void> {
  await requireAllowed(type, locked.id, 'delete', connection);
  await releaseDependents(type, locked, connection, scope);
  // The model lets some records go only after those that refer to them.
  await connection.defer(compileDelete(type, locked.id), (failure) => refusedDeletion(failure, type, scope));
  const change = { before: locked.record, changes: new Map(), id: locked.id, now: locked.now, member: scope.member };
  await insertCompanions(extensionOf(scope.extensions, type), { ...change, after: undefined }, connection, scope);
}
