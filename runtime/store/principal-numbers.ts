import { fieldOf, keyColumnOf, own, primitives, propertyOf, type EntityContainer, type EntityType, type Navigation, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { requireNoFaults } from '../errors/require-no-faults.js';
import { compileKeyOf, compileNumberOf } from '../sql/compile-target.js';
import type { Connection } from '../sql/statement.js';

/**
 * The numbers of the records that values refer to by key, by internal column: a key may change later, and its number does
 * not. Where a constraint names more than the key, what else the record repeats is given with the number, as the other has it.
 */
export async function principalNumbers(type: EntityType, values: StoredRecord, { container, connection, stored = new Map() }: Surroundings): Promise<StoredRecord> {
  const numbers = new Map<string, string | null>();
  for (const navigation of Object.values(type.navigation)) {
    if (navigation.repeats === undefined) continue;
    const [column] = Object.keys(navigation.join);
    const target = own(container.entityTypes, navigation.target);
    if (target === undefined || column === undefined || values.has(column)) continue;
    const key = saidOf({ type, target, repeats: navigation.repeats }, values, stored);
    if (key === undefined) continue;
    numbers.set(column, null);
    if (key !== null) for (const [name, value] of await principalOf({ type, target, repeats: navigation.repeats }, key, column, connection)) numbers.set(name, value);
  }
  return numbers;
}

interface Surroundings {
  readonly container: EntityContainer;
  readonly connection: Connection;
  /** The record as it was; a new one was nothing. */
  readonly stored?: StoredRecord;
}

interface Repeated {
  readonly type: EntityType;
  readonly target: EntityType;
  readonly repeats: NonNullable<Navigation['repeats']>;
}

type Key = readonly (readonly [column: string, value: string])[];

// Undefined where the values say nothing of it, null where they lead nowhere. What is no key and null says nothing.
function saidOf({ type, target, repeats }: Repeated, values: StoredRecord, stored: StoredRecord): Key | null | undefined {
  const pairs = Object.entries(repeats).map(([column, other]) => ({ other, name: propertyOf(type, column), isKey: isKeyColumn(target, other) }));
  if (!pairs.some(({ name }) => values.has(name))) return undefined;
  const said = pairs.flatMap(({ other, name, isKey }) => {
    const value = (isKey && !values.has(name) ? stored : values).get(name);
    return typeof value === 'string' ? [{ pair: [other, value] as const, isKey }] : [];
  });
  const isWhole = said.filter(({ isKey }) => isKey).length === pairs.filter(({ isKey }) => isKey).length;
  return isWhole ? said.map(({ pair }) => pair) : null;
}

function isKeyColumn(target: EntityType, column: string): boolean {
  return target.key.some((name) => keyColumnOf(target, name) === column);
}

// A key that is no record's is told where references are looked for; a whole constraint is looked for here.
async function principalOf({ type, target, repeats }: Repeated, key: Key, column: string, connection: Connection): Promise<ReadonlyMap<string, string | null>> {
  const more = Object.entries(repeats).filter(([, other]) => !isKeyColumn(target, other));
  const isSeen = more.length === 0 || connection.sight === undefined || (await connection.run(compileKeyOf(target, key.map(([name, value]) => ({ column: name, value, sqlType: primitives[fieldOf(target, propertyOf(target, name))?.type ?? 'Edm.String'].sql }))))).length > 0;
  const [row] = isSeen ? await connection.run(compileNumberOf(target, key, more.map(([, other]) => other))) : [];
  if (row === undefined && more.length > 0) {
    const [first = ''] = Object.keys(repeats).map((name) => propertyOf(type, name));
    requireNoFaults(type, [errors.invalidReference(key.map(([name, value]) => `${propertyOf(target, name)}=${value}`).join(', '), first, target.name, `there is no ${target.name} with these values`).at(first).asDetail()]);
  }
  return new Map([[column, row?.[0] ?? null], ...more.map(([name], index) => [propertyOf(type, name), row?.[index + 1] ?? null] as const)]);
}
