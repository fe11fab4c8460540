import {
  fieldOf,
  keyColumnOf,
  own,
  primitives,
  propertyOf,
  type EntityContainer,
  type EntityType,
  type Navigation,
  type StoredRecord,
} from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { displayName } from '../errors/display-name.js';
import { compileKept, compileKeyOf, compileNumberOf } from '../sql/compile-target.js';
import type { Connection } from '../sql/statement.js';

/**
 * The `#id` columns of references that values give by key: keys may change, ids do not. If a constraint has more than
 * the key, its mirrored columns are set from the target.
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
    const key = saidOf({ type, target, mirrors: navigation.mirrors }, values, stored);
    if (key === undefined) continue;
    numbers.set(column, null);
    if (key !== null)
      for (const [name, value] of await principalOf({ type, target, mirrors: navigation.mirrors }, key, column, connection))
        numbers.set(name, value);
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
  readonly target: EntityType;
  readonly mirrors: NonNullable<Navigation['mirrors']>;
}

type Key = readonly (readonly [column: string, value: string])[];

// Undefined where the values do not contain the reference, null where it is null. A null in a column that does not
// identify the target is ignored.
function saidOf({ type, target, mirrors }: Mirrored, values: StoredRecord, stored: StoredRecord): Key | null | undefined {
  const tells = tellingOf(target, mirrors);
  const pairs = Object.entries(mirrors).map(([column, other]) => ({ other, name: propertyOf(type, column), isTelling: tells(other) }));
  if (!pairs.some(({ name }) => values.has(name))) return undefined;
  const said = pairs.flatMap(({ other, name, isTelling }) => {
    const value = (isTelling && !values.has(name) ? stored : values).get(name);
    return typeof value === 'string' ? [{ pair: [other, value] as const, isTelling }] : [];
  });
  const isWhole = said.filter(({ isTelling }) => isTelling).length === pairs.filter(({ isTelling }) => isTelling).length;
  return isWhole ? said.map(({ pair }) => pair) : null;
}

// The columns of the key identify the target if all are mirrored, otherwise every mirrored column does.
function tellingOf(target: EntityType, mirrors: Mirrored['mirrors']): (column: string) => boolean {
  const [key, repeated] = [target.key.map((name) => keyColumnOf(target, name)), Object.values(mirrors)];
  return key.every((column) => repeated.includes(column)) ? (column) => key.includes(column) : () => true;
}

// A key without a row is reported with the references; other constraints are looked up here.
async function principalOf(
  { type, target, mirrors }: Mirrored,
  key: Key,
  column: string,
  connection: Connection,
): Promise<ReadonlyMap<string, string | null>> {
  const columns = Object.values(mirrors);
  if (columns.length === target.key.length && target.key.every((name) => columns.includes(keyColumnOf(target, name))))
    return new Map([[column, (await connection.run(compileNumberOf(target, key)))[0]?.[0] ?? null]]);
  const found = await connection.run(
    compileKeyOf(
      target,
      key.map(([name, value]) => ({ column: name, value, sqlType: sqlTypeOf(target, name) })),
    ),
  );
  const [number] = found[0] ?? [];
  if (found.length !== 1 || number == null) return refuse({ type, target, mirrors }, key, found.length > 1);
  const [row] = await connection.run(compileKept(target, number, columns));
  return new Map([
    [column, row === undefined ? null : number],
    ...Object.keys(mirrors).map((name, index) => [propertyOf(type, name), row?.[index] ?? null] as const),
  ]);
}

function sqlTypeOf(target: EntityType, column: string): string {
  return primitives[fieldOf(target, propertyOf(target, column))?.type ?? 'Edm.String'].sql;
}

function refuse({ type, target, mirrors }: Mirrored, key: Key, isSeveral: boolean): never {
  const [first = ''] = Object.keys(mirrors).map((name) => propertyOf(type, name));
  const said = key.map(([name, value]) => `${propertyOf(target, name)}=${value}`).join(', ');
  const why = isSeveral
    ? `more than one ${target.name} has these values; say which one by its id, with @odata.bind`
    : `there is no ${target.name} with these values`;
  throw errors.notSaved(displayName(type.name)).with([errors.invalidReference(said, first, target.name, why).at(first).asDetail()]);
}
