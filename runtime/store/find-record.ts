import type { EntityContainer, EntityType } from '../edm/index.js';
import { entityTypeNamed, isTypeOrBase } from '../plan/path/derivation.js';
import type { KeyCondition } from '../plan/read-plan.js';
import { compileLock, compileLockType, compileSeen, type LockFor } from '../sql/compile-lock.js';
import type { Connection } from '../sql/statement.js';
import type { SeenRecord } from './known-records.js';
import { lockedRecord, type LockedRecord } from './stored-record.js';

/** Locks an entity until the transaction ends; undefined if there is none, or one of another type. */
export async function findRecord(
  type: EntityType,
  key: readonly KeyCondition[],
  connection: Connection,
  container: EntityContainer,
  lockFor: LockFor = 'change',
): Promise<LockedRecord | undefined> {
  const actual = type.discriminated ? await lockType(type, key, connection, container, lockFor) : type;
  const [row] = actual ? await connection.run(compileLock(actual, key, lockFor)) : [];
  return row && actual && lockedRecord(actual, row);
}

async function lockType(
  type: EntityType,
  key: readonly KeyCondition[],
  connection: Connection,
  container: EntityContainer,
  lockFor: LockFor,
): Promise<EntityType | undefined> {
  const [row] = await connection.run(compileLockType(type, key, lockFor));
  const actual = entityTypeNamed(container, row?.[0] ?? '', type);
  return actual && isTypeOrBase(actual, type.qualifiedName) ? actual : undefined;
}

/** Reads an entity without a lock, with the state that detects later changes; undefined if there is none. */
export async function seeRecord(type: EntityType, key: readonly KeyCondition[], connection: Connection): Promise<SeenRecord | undefined> {
  const [row] = await connection.run(compileSeen(type, key));
  return row && { ...lockedRecord(type, row), state: row.at(-1) ?? '' };
}
