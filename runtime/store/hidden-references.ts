import {
  columnOf,
  fieldOf,
  primitives,
  propertyOf,
  targetOf,
  type EntityContainer,
  type EntityType,
  type Navigation,
  type StoredRecord,
} from '../edm/index.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { compileKeyOf, type TypedKey } from '../sql/compile-target.js';
import type { Connection } from '../sql/statement.js';
import { pointlessFault } from './refusal.js';

/**
 * The faults of composite references to no visible row. A foreign key sees all rows, so its violation would reveal
 * hidden ones; without row filters it suffices.
 */
export async function hiddenReferences(
  type: EntityType,
  values: StoredRecord,
  container: EntityContainer,
  connection: Connection,
  stored: StoredRecord = new Map(),
): Promise<readonly ErrorDetail[]> {
  if (connection.rowFilters === undefined) return [];
  const faults: ErrorDetail[] = [];
  for (const [name, navigation] of Object.entries(type.navigation)) {
    const key = changedKey(type, navigation, values, stored);
    if (key !== undefined && (await connection.run(compileKeyOf(targetOf(container, navigation), key))).length === 0)
      faults.push(pointlessFault(name));
  }
  return faults;
}

// Undefined where the values do not contain the reference, and where a null makes it empty.
function changedKey(
  type: EntityType,
  { join, collection, through }: Navigation,
  values: StoredRecord,
  stored: StoredRecord,
): TypedKey | undefined {
  const pairs = Object.entries(join).map(([column, other]) => ({ other, name: propertyOf(type, column), column }));
  const isOurs = pairs.every(({ name, column }) => fieldOf(type, name) !== undefined && columnOf(type, name) === column);
  if (collection || through || pairs.length < 2 || !isOurs || !pairs.some(({ name }) => values.has(name))) return undefined;
  const key = pairs.flatMap(({ other, name }) => {
    const value = (values.has(name) ? values : stored).get(name);
    return typeof value === 'string' ? [{ column: other, value, sqlType: primitives[fieldOf(type, name)?.type ?? 'Edm.String'].sql }] : [];
  });
  return key.length === pairs.length ? key : undefined;
}
