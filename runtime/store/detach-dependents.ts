import { fieldOf, own, propertyOf, type EntityType, type Navigation } from '../edm/index.js';
import { compileRelease } from '../sql/compile-relations.js';
import type { Connection } from '../sql/statement.js';
import type { LockedRecord } from './stored-record.js';
import type { WriteScope } from './write-scope.js';

/**
 * Detaches the entities that reference a deleted one, where the model says so: their representation and thus their ETag
 * change, which foreign keys alone would not do.
 */
export async function detachDependents(
  type: EntityType,
  { id, record }: LockedRecord,
  connection: Connection,
  scope: WriteScope,
): Promise<void> {
  for (const { type: name, navigation: property } of type.detaches ?? []) {
    const dependent = own(scope.container.entityTypes, name) as EntityType; // Of the same model.
    const navigation = own(dependent.navigation, property) as Navigation;
    const pointing = Object.entries(navigation.join).map(([column, other]) => ({
      column,
      value: other === '#id' ? id : record.get(propertyOf(type, other)),
    }));
    const key = pointing.flatMap(({ column, value }) => (typeof value === 'string' ? [{ column, value }] : []));
    const columns = Object.keys({ ...navigation.join, ...navigation.mirrors }).filter((column) => mayBeNull(dependent, column));
    if (key.length === pointing.length) await connection.run(compileRelease(dependent, key, columns));
  }
}

function mayBeNull(type: EntityType, column: string): boolean {
  return column.startsWith('#') || fieldOf(type, propertyOf(type, column))?.nullable === true;
}
