import { propertyOf } from '../edm/index.js';
import { type EntityContainer } from '../edm/entity-container.js';
import { type EntityType } from '../edm/entity-type.js';
import { type JoinTable } from '../edm/navigation.js';
import { type StoredRecord } from '../edm/extension.js';
import { errors } from '../errors/catalogue.js';
import { displayName } from '../errors/suggest.js';
import { entityTypeNamed, isTypeOrBase } from '../plan/path/derivation.js';
import type { KeyCondition } from '../plan/read-plan.js';
import { compileLock, compileLockAll, compileLockType, compileSeen, type LockFor } from '../sql/compile-lock.js';
import {
  askedAlike,
  compileAllNumbers,
  compileAllShared,
  compileNumbers,
  compileShared,
  type Kept,
  parentPlace,
  type Place,
  tablePlace,
  type TablePlace,
} from '../sql/compile-target.js';
import type { Connection, Row } from '../sql/statement.js';
import type { SeenRecord } from './known-records.js';
import { type LockedRecord, lockedRecord } from './stored-record.js';

/** How many records one request may change by `/$each`, or have among those that it replaces. */
const mostMembers = 1_000;

/** Locks the entity at a path; undefined if there is none. */
export async function findTarget(
  place: Place,
  connection: Connection,
  container: EntityContainer,
  lockFor: LockFor = 'change',
): Promise<LockedRecord | undefined> {
  // A hidden entity does not exist for the caller, so visibility is checked before the lock.
  if (place.parents.length === 0 && place.filter === undefined && connection.rowFilters === undefined)
    return findRecord(place.type, place.key, connection, container, lockFor);
  const [row] = await connection.run(compileNumbers(tablePlace(place), 1));
  return row?.[0] == null ? undefined : findRecord(place.type, byNumber(row[0]), connection, container, lockFor);
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
  const row = await readSharedAt(parentPlace(place), columns, keptBy(parent.type, columns), connection);
  if (row === undefined) throw errors.notFound('record with that key');
  const [number, ...cells] = row;
  const values = new Map(pairs.map(([child], index) => [propertyOf(place.type, child), cells[index] ?? null]));
  requireValues(values, place.type);
  return { values, ...(parent.through && { joined: { through: parent.through, parent: number ?? '' } }) };
}

/** Columns of the record at a place, which stay as they are as long as the transaction lasts; undefined where there is none. */
export async function readShared(place: Place, columns: readonly string[], connection: Connection): Promise<Row | undefined> {
  return readSharedAt(tablePlace(place), columns, keptBy(place.type, columns), connection);
}

async function readSharedAt(place: TablePlace, columns: readonly string[], kept: Kept, connection: Connection): Promise<Row | undefined> {
  const visible = connection.rowFilters === undefined ? place : await visibleOf(place, connection);
  const [row] = visible ? await connection.run(compileShared(visible, columns, kept)) : [];
  return row;
}

// Two entities may be related from both sides concurrently if neither request locks the other's.
function keptBy(type: EntityType, columns: readonly string[]): Kept {
  return columns.every((column) => column === '#id' || type.key.includes(propertyOf(type, column))) ? 'key share' : 'share';
}

/** The numbers of the records at several places, which are not removed before the transaction ends; in a statement for those that are asked for alike. */
export async function readAllNumbers(places: readonly Place[], connection: Connection): Promise<ReadonlyMap<Place, string>> {
  const asked = new Map([...new Set(places)].map((place) => [tablePlace(place), place]));
  const found = new Map<Place, string>();
  for (const group of alike([...asked.keys()]))
    for (const [at, number] of await readGroup(group, connection)) {
      const place = asked.get(at);
      if (place !== undefined) found.set(place, number);
    }
  return found;
}

/**
 * Locks the records at several places of a table, and others of it, in the order of their numbers, so that two requests
 * that name the same ones in another order do not wait for each other.
 */
export async function lockInOrder(
  type: EntityType,
  places: readonly Place[],
  others: readonly string[],
  connection: Connection,
): Promise<void> {
  const numbers = new Set(others);
  for (const group of alike(places.map(tablePlace))) {
    const rows = await connection.run(group[1] ? compileAllNumbers(group) : compileNumbers(group[0], 1));
    for (const number of rows.map((row) => row.at(-1))) if (number != null) numbers.add(number);
  }
  if (numbers.size > 1) await connection.run(compileLockAll(type, [...numbers]));
}

function alike(places: readonly TablePlace[]): Iterable<readonly [TablePlace, ...TablePlace[]]> {
  const groups = new Map<string | TablePlace, [TablePlace, ...TablePlace[]]>();
  for (const place of places) {
    const like = askedAlike(place) ?? place;
    groups.set(like, [...(groups.get(like) ?? []), place] as [TablePlace, ...TablePlace[]]); // It has that one at least.
  }
  return groups.values();
}

async function readGroup(
  group: readonly TablePlace[],
  connection: Connection,
): Promise<readonly (readonly [place: TablePlace, number: string])[]> {
  const [first, ...others] = group;
  if (first === undefined) return [];
  if (others.length === 0) return numbered(first, await readSharedAt(first, ['#id'], 'key share', connection));
  if (connection.rowFilters === undefined) return (await keepNumbers(group, connection)).flatMap(([at, row]) => numbered(group[at], row));
  const visible = placed(await connection.run(compileAllNumbers(group)));
  const byNumbers = visible.map(([, [number]]): TablePlace => ({ ...first, key: byNumber(number ?? ''), parents: [], filter: undefined }));
  const rows = byNumbers.length === 0 ? [] : await keepNumbers(byNumbers, connection);
  return rows.flatMap(([at, row]) => numbered(group[visible[at]?.[0] ?? -1], row));
}

async function keepNumbers(places: readonly TablePlace[], connection: Connection): Promise<readonly (readonly [number, Row])[]> {
  return placed(await connection.run(compileAllShared(places, ['#id'], 'key share')));
}

function numbered(place: TablePlace | undefined, row: Row | undefined): readonly (readonly [place: TablePlace, number: string])[] {
  const [number] = row ?? [];
  return place === undefined || number == null ? [] : [[place, number]];
}

// By the position of the requested path, which SQL counts from one.
function placed(rows: readonly Row[]): readonly (readonly [number, Row])[] {
  return rows.map(([place, ...cells]) => [Number(place) - 1, cells]);
}

async function visibleOf(place: TablePlace, connection: Connection): Promise<TablePlace | undefined> {
  const [row] = await connection.run(compileNumbers(place, 1));
  return row?.[0] == null ? undefined : { table: place.table, alias: place.alias, key: byNumber(row[0]), parents: [] };
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
  key: readonly KeyCondition[],
  connection: Connection,
  container: EntityContainer,
  lockFor: LockFor = 'change',
): Promise<LockedRecord | undefined> {
  const actual = type.discriminated ? await lockType(type, key, connection, container, lockFor) : type;
  const [row] = actual ? await connection.run(compileLock(actual, key, lockFor)) : [];
  return row && actual && lockedRecord(actual, row);
}

async function lockType(
  type: EntityType,
  key: readonly KeyCondition[],
  connection: Connection,
  container: EntityContainer,
  lockFor: LockFor,
): Promise<EntityType | undefined> {
  const [row] = await connection.run(compileLockType(type, key, lockFor));
  const actual = entityTypeNamed(container, row?.[0] ?? '', type);
  return actual && isTypeOrBase(actual, type.qualifiedName) ? actual : undefined;
}

/** Reads an entity without a lock, with the state that detects later changes; undefined if there is none. */
export async function seeRecord(type: EntityType, key: readonly KeyCondition[], connection: Connection): Promise<SeenRecord | undefined> {
  const [row] = await connection.run(compileSeen(type, key));
  return row && { ...lockedRecord(type, row), state: row.at(-1) ?? '' };
}

/** Rejects nulls in values that should relate an entity to another: null equals nothing. */
export function requireValues(values: StoredRecord, { name }: EntityType): void {
  const [lacking] = [...values].find(([, value]) => value === null) ?? [];
  if (lacking !== undefined)
    throw errors
      .notSaved(displayName(name))
      .with([errors.readOnly(lacking, 'it is to be that of a record that has none').at(lacking).asDetail()]);
}
