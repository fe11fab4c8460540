import { fieldOf, own, propertyOf, type EntityContainer, type EntityType, type Navigation } from '../edm/index.js';
import { compileRelease } from '../sql/compile-release.js';
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
  for (const { dependent, navigation } of dependentsOf(type, scope.container)) {
    const pointing = Object.entries(navigation.join).map(([column, other]) => ({
      column,
      value: other === '#id' ? id : record.get(propertyOf(type, other)),
    }));
    const key = pointing.flatMap(({ column, value }) => (typeof value === 'string' ? [{ column, value }] : []));
    const columns = Object.keys({ ...navigation.join, ...navigation.mirrors }).filter((column) => mayBeNull(dependent, column));
    if (key.length === pointing.length) await connection.run(compileRelease(dependent, key, columns));
  }
}

interface Dependent {
  readonly dependent: EntityType;
  readonly navigation: Navigation;
}

const known = new WeakMap<EntityContainer, Map<string, readonly Dependent[]>>();

/**
 * The relations that a deletion detaches; computed once per table, since types that share one inherit the same
 * navigation properties.
 */
export function dependentsOf({ table }: EntityType, container: EntityContainer): readonly Dependent[] {
  const tables = known.get(container) ?? new Map<string, readonly Dependent[]>();
  known.set(container, tables);
  const dependents = tables.get(table) ?? findDependents(table, container);
  tables.set(table, dependents);
  return dependents;
}

function findDependents(table: string, container: EntityContainer): readonly Dependent[] {
  const found = new Map<string, Dependent>();
  for (const dependent of Object.values(container.entityTypes)) {
    for (const navigation of Object.values(dependent.navigation)) {
      if (navigation.setsNull && own(container.entityTypes, navigation.target)?.table === table)
        found.set(JSON.stringify([dependent.table, navigation.join]), { dependent, navigation });
    }
  }
  return [...found.values()];
}

function mayBeNull(type: EntityType, column: string): boolean {
  return column.startsWith('#') || fieldOf(type, propertyOf(type, column))?.nullable === true;
}
