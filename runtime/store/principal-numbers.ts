import { own, propertyOf, type EntityContainer, type EntityType, type Navigation, type StoredRecord } from '../edm/index.js';
import { compileNumberOf } from '../sql/compile-target.js';
import type { Connection } from '../sql/statement.js';

/**
 * The `#id` columns of references that values give by key: generated keys may change, ids do not.
 */
export async function principalNumbers(
  type: EntityType,
  values: StoredRecord,
  { container, connection, stored = new Map() }: Surroundings,
): Promise<StoredRecord> {
  const numbers = new Map<string, string | null>();
  for (const navigation of Object.values(type.navigation)) {
    if (navigation.mirrors === undefined) continue;
    const [column] = Object.keys(navigation.join);
    const target = own(container.entityTypes, navigation.target);
    if (target === undefined || column === undefined || values.has(column)) continue;
    const key = referencedKey({ type, mirrors: navigation.mirrors }, values, stored);
    if (key === undefined) continue;
    // A key without a row is reported with the references.
    numbers.set(column, key && ((await connection.run(compileNumberOf(target, key)))[0]?.[0] ?? null));
  }
  return numbers;
}

interface Surroundings {
  readonly container: EntityContainer;
  readonly connection: Connection;
  /** The entity before the change; empty for a new one. */
  readonly stored?: StoredRecord;
}

interface Mirrored {
  readonly type: EntityType;
  readonly mirrors: NonNullable<Navigation['mirrors']>;
}

type Key = readonly (readonly [column: string, value: string])[];

// Undefined where the values do not contain the reference, null where it is null.
function referencedKey({ type, mirrors }: Mirrored, values: StoredRecord, stored: StoredRecord): Key | null | undefined {
  const pairs = Object.entries(mirrors).map(([column, other]) => ({ other, name: propertyOf(type, column) }));
  if (!pairs.some(({ name }) => values.has(name))) return undefined;
  const key = pairs.flatMap(({ other, name }) => {
    const value = (values.has(name) ? values : stored).get(name);
    return typeof value === 'string' ? [[other, value] as const] : [];
  });
  return key.length === pairs.length ? key : null;
}
