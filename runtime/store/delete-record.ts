import type { EntityType } from '../edm/index.js';
import { compileDelete } from '../sql/compile-write.js';
import type { Connection } from '../sql/statement.js';
import { insertCompanions } from './companion-records.js';
import type { LockedRecord } from './stored-record.js';
import type { WriteScope } from './write-scope.js';

/** Removes a locked record with what hangs on it; what tells of the change stays. */
export async function deleteRecord(type: EntityType, locked: LockedRecord, connection: Connection, scope: WriteScope): Promise<void> {
  await connection.run(compileDelete(type, locked.id));
  const change = { before: locked.record, changes: new Map(), id: locked.id, now: locked.now, member: scope.member };
  await insertCompanions(scope.extension, { ...change, after: undefined }, connection, scope);
}
