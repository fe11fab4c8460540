import { own, propertyOf, type EntityContainer, type EntityType, type Navigation, type StoredRecord } from '../edm/index.js';
import { compileNumberOf } from '../sql/compile-target.js';
import type { Connection } from '../sql/statement.js';

/** The numbers of the records that values refer to by key, by internal column: a key may change later, and its number does not. */
export async function principalNumbers(type: EntityType, values: StoredRecord, container: EntityContainer, connection: Connection): Promise<StoredRecord> {
  const numbers = new Map<string, string | null>();
  for (const navigation of Object.values(type.navigation)) {
    if (navigation.repeats === undefined) continue;
    const [column] = Object.keys(navigation.join);
    const target = own(container.entityTypes, navigation.target);
    if (target === undefined || column === undefined || values.has(column)) continue;
    const key = keyOf(type, navigation.repeats, values);
    if (key !== undefined) numbers.set(column, key === null ? null : await numberOf(target, key, connection));
  }
  return numbers;
}

type Key = readonly (readonly [column: string, value: string])[];

// Undefined where the values say nothing of it, null where they lead nowhere.
function keyOf(type: EntityType, repeats: NonNullable<Navigation['repeats']>, values: StoredRecord): Key | null | undefined {
  const pairs = Object.entries(repeats).map(([column, other]) => [other, values.get(propertyOf(type, column))] as const);
  if (pairs.every(([, value]) => value === undefined)) return undefined;
  const key = pairs.flatMap(([other, value]) => (typeof value === 'string' ? [[other, value] as const] : []));
  return key.length === pairs.length ? key : null;
}

async function numberOf(target: EntityType, key: Key, connection: Connection): Promise<string | null> {
  const [row] = await connection.run(compileNumberOf(target, key));
  return row?.[0] ?? null;
}
