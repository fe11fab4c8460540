import { propertyOf, type EntityType, type StoredRecord } from '../edm/index.js';
import { compileReturns } from '../sql/compile-symmetric.js';
import type { Connection } from '../sql/statement.js';

/** Follows what a stored record says by navigation properties that are their own partners: the other record says it too, and those that were left say nothing. */
export async function leadBack(type: EntityType, id: string, changes: StoredRecord, connection: Connection): Promise<void> {
  for (const navigation of Object.values(type.navigation)) {
    if (!navigation.symmetric || !Object.keys(navigation.join).some((column) => changes.has(propertyOf(type, column)))) continue;
    for (const statement of compileReturns(type, navigation, id)) await connection.defer(statement);
  }
}
