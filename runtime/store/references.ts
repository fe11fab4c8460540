import type { EntityContainer, EntityType, Navigation, StoredRecord, StoredValue } from '../edm/index.js';
import { fieldOf, keyColumnOf, keyFieldOf, primitives, propertyOf, targetOf } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail, ODataError } from '../errors/odata-error.js';
import { enumText } from '../expression/enum-members.js';
import type { Reference, WritePlan } from '../plan/write/write-plan.js';
import { compileKeyOf, compileNumberOf, type TypedKey } from '../sql/compile-target.js';
import { compileExisting } from '../sql/compile-write.js';
import type { AskedRows, Connection } from '../sql/statement.js';
import { isRemoved, textWithin } from './nested-values.js';
import { pointlessFault } from './refusal.js';
import type { WriteTransaction } from './write-scope.js';

/** The faults of references to nothing; one queued statement per target type. */
export function missingReferences(references: readonly Reference[], connection: Connection): () => Promise<readonly ErrorDetail[]> {
  const asked = [...new Set(references.map(({ target }) => target))].map((target) => {
    const there = references.filter((reference) => reference.target === target);
    const values = there.map(({ value }) => value).filter((value) => mayBeKey(target, value));
    return { target, there, rows: values.length === 0 ? noRows : connection.ahead(compileExisting(target, values)) };
  });
  return async () => {
    const faults: ErrorDetail[] = [];
    for (const { target, there, rows } of asked) {
      const known = new Set((await rows()).map(([key]) => key));
      const missing = there.filter(({ value }) => !known.has(value));
      faults.push(
        ...missing.map(({ value, property }) => errors.invalidReference(shown(target, value), property, target.name).asDetail(property)),
      );
    }
    return faults;
  };
}

/** Queues the check of a plan's references; its faults are added to the plan. */
export function withReferences(plan: WritePlan, connection: Connection): () => Promise<WritePlan> {
  const missing = missingReferences(plan.references, connection);
  return async () => ({ ...plan, references: [], faults: [...plan.faults, ...(await missing())] });
}

/** The references in complex values: like those in columns, they must be keys of existing rows. */
export function referencesWithin(type: EntityType, values: StoredRecord, container: EntityContainer): readonly Reference[] {
  return Object.values(type.navigation).flatMap((navigation) => {
    const [path, ...others] = navigation.follows ?? [];
    // The other side of a relation follows its columns too, but has nothing to check.
    if (path === undefined || others.length > 0 || !Object.keys(navigation.join).every((column) => column.startsWith('#'))) return [];
    const target = targetOf(container, navigation);
    const [key = ''] = target.key;
    if (target.key.length > 1 || !Object.values(navigation.join).includes(keyColumnOf(target, key))) return [];
    const value = isRemoved(path, values, container) ? null : textWithin(values, path, keyFieldOf(target, key)?.type ?? 'Edm.String');
    return value === null ? [] : [{ property: path, target, value }];
  });
}

const noRows: AskedRows = () => Promise.resolve([]);

// A constraint may join integers of different widths, and the database rejects values beyond its column's.
function mayBeKey(target: EntityType, value: string): boolean {
  const type = keyFieldOf(target, target.key[0] ?? '')?.type;
  const [low, high] = (type && primitives[type].range) ?? [];
  return low === undefined || high === undefined || (BigInt(value) >= BigInt(low) && BigInt(value) <= BigInt(high));
}

// The value as the client wrote it.
function shown(target: EntityType, value: string): string {
  const enumeration = keyFieldOf(target, target.key[0] ?? '')?.enumeration;
  return enumeration ? enumText(enumeration, value) : value;
}

/** The faults of composite references to no visible row. Without row filters the foreign key suffices, which sees hidden rows too. */
export async function hiddenReferences(
  type: EntityType,
  values: StoredRecord,
  { container, connection }: WriteTransaction,
  stored: StoredRecord = new Map(),
): Promise<readonly ErrorDetail[]> {
  if (connection.rowFilters === undefined) return [];
  const faults: ErrorDetail[] = [];
  for (const [name, navigation] of Object.entries(type.navigation)) {
    if (!isComposite(type, navigation)) continue;
    const target = targetOf(container, navigation);
    const key = referencedKey(type, navigation.join, target, values, stored);
    if (key && (await connection.run(compileKeyOf(target, key))).length === 0) faults.push(pointlessFault(name));
  }
  return faults;
}

// Of several properties of the entity itself.
function isComposite(type: EntityType, { join, collection, through }: Navigation): boolean {
  const columns = Object.keys(join);
  const isOwn = (column: string): boolean => fieldOf(type, propertyOf(type, column)) !== undefined;
  return !collection && !through && columns.length > 1 && columns.every(isOwn);
}

/** The `#id` columns of references that values give by key: generated keys may change, ids do not. */
export async function principalNumbers(
  type: EntityType,
  values: StoredRecord,
  { container, connection }: WriteTransaction,
  stored: StoredRecord = new Map(),
): Promise<StoredRecord> {
  const numbers = new Map<string, string | null>();
  for (const navigation of Object.values(type.navigation)) {
    const [column] = Object.keys(navigation.join);
    if (navigation.mirrors === undefined || column === undefined || values.has(column)) continue;
    const target = targetOf(container, navigation);
    const key = referencedKey(type, navigation.mirrors, target, values, stored);
    // A key without a row is reported with the references.
    if (key !== undefined) numbers.set(column, key && ((await connection.run(compileNumberOf(target, key)))[0]?.[0] ?? null));
  }
  setOneTarget(type, values, numbers, container);
  return numbers;
}

/**
 * Sets one of the navigation properties to different tables that share a property. Rejects a value that is the key of no
 * target or of several, and a body that sets several.
 */
function setOneTarget(type: EntityType, values: StoredRecord, numbers: Map<string, string | null>, container: EntityContainer): void {
  for (const [property, sharing] of sharedProperties(type, container)) {
    const setBy = (record: StoredRecord): Sharing[] => sharing.filter(({ column }) => typeof record.get(column) === 'string');
    const value = values.get(property);
    const [[linked, ...others], [found, ...rivals]] = [setBy(values), setBy(numbers)];
    if (linked !== undefined && others.length > 0)
      throw sharedFault(property, `${[linked, ...others].map(({ name }) => name).join(' and ')} share it; set one of them`, value);
    // Rows of different tables may have equal keys.
    if (linked !== undefined) for (const { column, target } of sharing) if (target.table !== linked.target.table) numbers.set(column, null);
    if (linked !== undefined || typeof value !== 'string') continue;
    if (found === undefined)
      throw sharedFault(property, `there is no ${sharing.map(({ target }) => target.name).join(' or ')} with that key`, value);
    if (rivals.some(({ target }) => target.table !== found.target.table))
      throw sharedFault(
        property,
        `it is the key of several records; set ${[found, ...rivals].map(({ name }) => name).join(' or ')}`,
        value,
      );
  }
}

/** One of several navigation properties with the same property, and its `#id` column. */
interface Sharing {
  readonly name: string;
  readonly column: string;
  readonly target: EntityType;
}

// By the shared property, where the targets are in different tables.
function sharedProperties(type: EntityType, container: EntityContainer): readonly (readonly [string, readonly Sharing[]])[] {
  const groups = new Map<string, Sharing[]>();
  for (const [name, navigation] of Object.entries(type.navigation)) {
    const [[column], mirrors] = [Object.keys(navigation.join), Object.keys(navigation.mirrors ?? {})];
    if (column === undefined || mirrors.length === 0) continue;
    const shared = { name, column, target: targetOf(container, navigation) };
    groups.set(mirrors.join(), [...(groups.get(mirrors.join()) ?? []), shared]);
  }
  return [...groups].flatMap(([columns, sharing]) =>
    new Set(sharing.map(({ target }) => target.table)).size > 1 ? [[propertyOf(type, columns.split(',')[0] ?? ''), sharing] as const] : [],
  );
}

function sharedFault(property: string, why: string, value: StoredValue | undefined): ODataError {
  return errors.notSaved('record').with([errors.invalidReference(String(value), property, '', why).at(property).asDetail()]);
}

// Undefined where the values do not contain the reference, null where it is null.
function referencedKey(
  type: EntityType,
  join: Navigation['join'],
  target: EntityType,
  values: StoredRecord,
  stored: StoredRecord,
): TypedKey | null | undefined {
  const pairs = Object.entries(join).map(([own, column]) => ({ column, name: propertyOf(type, own) }));
  if (!pairs.some(({ name }) => values.has(name))) return undefined;
  const key = pairs.flatMap(({ column, name }) => {
    const value = (values.has(name) ? values : stored).get(name);
    const field = fieldOf(target, propertyOf(target, column));
    return typeof value === 'string' ? [{ column, value, sqlType: primitives[field?.type ?? 'Edm.String'].sql }] : [];
  });
  return key.length === pairs.length ? key : null;
}
