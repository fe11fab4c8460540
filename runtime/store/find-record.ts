import type { EntityType } from '../edm/index.js';
import type { KeyCondition } from '../plan/read-plan.js';
import { compileLock } from '../sql/compile-write.js';
import type { Connection } from '../sql/statement.js';
import { lockedRecord, type LockedRecord } from './stored-record.js';

/** The record under a lock that lasts until the transaction ends; undefined where there is none. */
export async function findRecord(type: EntityType, key: readonly KeyCondition[], connection: Connection): Promise<LockedRecord | undefined> {
  const [row] = await connection.run(compileLock(type, key));
  return row && lockedRecord(type, row);
}
