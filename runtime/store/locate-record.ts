import { type EntityContainer, type EntityType, type JoinTable, propertyOf, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { displayName } from '../errors/suggest.js';
import { entityTypeNamed, isTypeOrBase } from '../plan/path/derivation.js';
import type { KeyCondition } from '../plan/typed-expr.js';
import { compileLock, compileLockAll, compileLockType, compileSeen, type LockFor } from '../sql/compile-lock.js';
import { compileNumbers, compileShared, type Kept, parentPlace, type Place, tablePlace, type TablePlace } from '../sql/compile-target.js';
import type { Connection, Row } from '../sql/statement.js';
import type { SeenRecord } from './known-records.js';
import { type LockedRecord, lockedRecord } from './stored-record.js';

type Key = readonly KeyCondition[];

/** The connection of a transaction, and the model of its rows. */
interface Located {
  readonly connection: Connection;
  readonly container: EntityContainer;
}

/** How many records one request may change by `/$each`, or have among those that it replaces. */
const mostMembers = 1_000;

/** Locks the entity at a path; undefined if there is none. */
export async function findTarget(place: Place, scope: Located, lockFor: LockFor = 'change'): Promise<LockedRecord | undefined> {
  const { connection } = scope;
  // A hidden entity does not exist for the caller, so visibility is checked before the lock.
  if (place.parents.length === 0 && place.filter === undefined && connection.rowFilters === undefined)
    return findRecord(place.type, place.key, scope, lockFor);
  const [row] = await connection.run(compileNumbers(tablePlace(place), 1));
  return row?.[0] == null ? undefined : findRecord(place.type, byNumber(row[0]), scope, lockFor);
}

/** The ids of all entities at a path. */
export async function memberNumbers(place: Place, connection: Connection, at = '/$each'): Promise<readonly string[]> {
  const rows = await connection.run(compileNumbers(tablePlace(place), mostMembers + 1));
  if (rows.length > mostMembers)
    throw errors.limitExceeded(`A request may change at most ${mostMembers} records, but this collection has more.`).at(at);
  return rows.map(([number]) => number ?? '');
}

/** The parent's contribution to a new entity: values by property, or the parent's id for a join table. */
interface FromParent {
  readonly values: StoredRecord;
  readonly joined?: { readonly through: JoinTable; readonly parent: string };
}

/** Resolves the parent of a POST below an entity; 404 if it is missing. */
export async function fromParent(place: Place, connection: Connection): Promise<FromParent> {
  const [parent] = place.parents;
  if (parent === undefined) return { values: new Map() };
  const pairs = [...parent.on, ...(parent.mirrors ?? [])];
  const columns = ['#id', ...pairs.map(([, column]) => column)];
  const row = await askShared(parentPlace(place), columns, keptBy(parent.type, columns), connection)();
  if (row === undefined) throw errors.notFound('record with that key');
  const [number, ...cells] = row;
  const values = new Map(pairs.map(([child], index) => [propertyOf(place.type, child), cells[index] ?? null]));
  requireValues(values, place.type);
  return { values, ...(parent.through && { joined: { through: parent.through, parent: number ?? '' } }) };
}

/** Columns of the row at a path, which stay as they are until the transaction ends; undefined where there is none. */
export function readShared(place: Place, columns: readonly string[], connection: Connection): Promise<Row | undefined> {
  return askShared(tablePlace(place), columns, keptBy(place.type, columns), connection)();
}

/** Queues such a read. A hidden row does not exist for the caller, so visibility is checked before the lock. */
function askShared(place: TablePlace, columns: readonly string[], kept: Kept, connection: Connection): () => Promise<Row | undefined> {
  const isOpen = connection.rowFilters === undefined;
  const asked = connection.ahead(isOpen ? compileShared(place, columns, kept) : compileNumbers(place, 1));
  return async () => {
    const [row] = await asked();
    if (isOpen || row?.[0] == null) return row;
    const { table, alias } = place;
    const [shared] = await connection.run(compileShared({ table, alias, key: byNumber(row[0]), parents: [] }, columns, kept));
    return shared;
  };
}

// Two entities may be related from both sides concurrently if neither request locks the other's.
function keptBy(type: EntityType, columns: readonly string[]): Kept {
  return columns.every((column) => column === '#id' || type.key.includes(propertyOf(type, column))) ? 'key share' : 'share';
}

/** The ids of the rows at several paths, asked for together; the rows are not deleted before the transaction ends. */
export async function readAllNumbers(places: readonly Place[], connection: Connection): Promise<ReadonlyMap<Place, string>> {
  const asked = new Map([...new Set(places)].map((place) => [place, askShared(tablePlace(place), ['#id'], 'key share', connection)]));
  const found = new Map<Place, string>();
  for (const [place, read] of asked) {
    const [number] = (await read()) ?? [];
    if (number != null) found.set(place, number);
  }
  return found;
}

/**
 * Locks the rows at several paths of a table, and others of it, in the order of their ids, so that two requests that name
 * the same ones in another order do not wait for each other.
 */
export async function lockInOrder(
  type: EntityType,
  places: readonly Place[],
  others: readonly string[],
  connection: Connection,
): Promise<void> {
  const asked = places.map((place) => connection.ahead(compileNumbers(tablePlace(place), 1)));
  const numbers = new Set(others);
  for (const rows of asked) for (const [number] of await rows()) if (number != null) numbers.add(number);
  if (numbers.size > 1) await connection.run(compileLockAll(type, [...numbers], 'no key update'));
}

/** The properties of a new record that its place beneath a parent gives. */
export function givenByParent({ type, parents: [parent] }: Place): ReadonlySet<string> {
  return new Set([...(parent?.on ?? []), ...(parent?.mirrors ?? [])].map(([child]) => propertyOf(type, child)));
}

/** A record by its immutable number. */
export function byNumber(number: string): readonly KeyCondition[] {
  return [{ column: '#id', sqlType: 'bigint', value: number }];
}

/** Locks an entity until the transaction ends; undefined if there is none, or one of another type. */
export async function findRecord(
  type: EntityType,
  key: Key,
  scope: Located,
  lockFor: LockFor = 'change',
): Promise<LockedRecord | undefined> {
  const actual = type.discriminated ? await lockType(type, key, scope, lockFor) : type;
  const [row] = actual ? await scope.connection.run(compileLock(actual, key, lockFor)) : [];
  return row && actual && lockedRecord(actual, row);
}

async function lockType(type: EntityType, key: Key, { connection, container }: Located, lockFor: LockFor): Promise<EntityType | undefined> {
  const [row] = await connection.run(compileLockType(type, key, lockFor));
  const actual = entityTypeNamed(container, row?.[0] ?? '', type);
  return actual && isTypeOrBase(actual, type.qualifiedName) ? actual : undefined;
}

/** Reads an entity without a lock, with the state that detects later changes; undefined if there is none. */
export async function seeRecord(type: EntityType, key: Key, connection: Connection): Promise<SeenRecord | undefined> {
  const [row] = await connection.run(compileSeen(type, key));
  return row && { ...lockedRecord(type, row), state: row.at(-1) ?? '' };
}

/** Rejects nulls in values that should relate an entity to another: null equals nothing. */
export function requireValues(values: StoredRecord, { name }: EntityType): void {
  const [lacking] = [...values].find(([, value]) => value === null) ?? [];
  if (lacking !== undefined)
    throw errors
      .notSaved(displayName(name))
      .with([errors.readOnly(lacking, 'it is to be that of a record that has none').asDetail(lacking)]);
}
