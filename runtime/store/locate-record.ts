import { propertyOf, type EntityContainer, type JoinTable, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { KeyCondition } from '../plan/read-plan.js';
import {
  askedAlike,
  compileAllNumbers,
  compileAllShared,
  compileNumbers,
  compileShared,
  parentPlace,
  tablePlace,
  type Place,
  type TablePlace,
} from '../sql/compile-target.js';
import type { Connection, Row } from '../sql/statement.js';
import { findRecord } from './find-record.js';
import { fromItem } from './from-item.js';
import { requireValues } from './require-values.js';
import type { LockedRecord } from './stored-record.js';

/** How many records one request may change by `/$each`, or have among those that it replaces. */
const mostMembers = 1_000;

/** The record that a path leads to, locked; undefined where there is none. */
export async function findTarget(place: Place, connection: Connection, container: EntityContainer): Promise<LockedRecord | undefined> {
  // What is out of sight is not there, so that it is looked for before it is locked.
  if (place.parents.length === 0 && place.filter === undefined && connection.sight === undefined)
    return findRecord(place.type, place.key, connection, container);
  const [row] = await connection.run(compileNumbers(tablePlace(place), 1));
  return row?.[0] == null ? undefined : findRecord(place.type, byNumber(row[0]), connection, container);
}

/** The numbers of all the records that a path leads to. */
export async function memberNumbers(place: Place, connection: Connection, at = '/$each'): Promise<readonly string[]> {
  const rows = await connection.run(compileNumbers(tablePlace(place), mostMembers + 1));
  if (rows.length > mostMembers)
    throw errors.limitExceeded(`One request may change ${mostMembers} records, and there are more at this place.`).at(at);
  return rows.map(([number]) => number ?? '');
}

/** What makes a new record one of its parent's: values by property, or the parent's number where a table joins the two. */
interface FromParent {
  readonly values: StoredRecord;
  readonly joined?: { readonly through: JoinTable; readonly parent: string };
}

/** What a POST beneath a record gives the new one; 404 where the parent is missing. */
export async function fromParent(place: Place, connection: Connection, container: EntityContainer): Promise<FromParent> {
  const [parent] = place.parents;
  if (parent === undefined) return { values: new Map() };
  if (parent.item) return { values: await fromItem(parent.item, await lockParent(place, connection, container), connection, container) };
  const pairs = [...parent.on, ...(parent.copies ?? [])];
  const row = await readShared(parentPlace(place), ['#id', ...pairs.map(([, column]) => column)], connection);
  if (row === undefined) throw errors.notFound('record with that key');
  const [number, ...cells] = row;
  const values = new Map(pairs.map(([child], index) => [propertyOf(place.type, child), cells[index] ?? null]));
  requireValues(values, place.type);
  return { values, ...(parent.through && { joined: { through: parent.through, parent: number ?? '' } }) };
}

/** The record directly above the target in its path, locked; 404 where there is none. */
export async function lockParent(
  { parents: [parent, ...parents] }: Pick<Place, 'parents'>,
  connection: Connection,
  container: EntityContainer,
): Promise<LockedRecord> {
  const locked = parent && (await findTarget({ ...parent, parents }, connection, container));
  if (locked === undefined) throw errors.notFound('record with that key');
  return locked;
}

/** Columns of the record at a place, which stays as it is as long as the transaction lasts; undefined where there is none. */
export async function readShared(place: TablePlace, columns: readonly string[], connection: Connection): Promise<Row | undefined> {
  const seen = connection.sight === undefined ? place : await inSight(place, connection);
  const [row] = seen ? await connection.run(compileShared(seen, columns)) : [];
  return row;
}

/** The same of several places, in a statement for those that are asked for alike. */
export async function readAllShared(
  places: readonly TablePlace[],
  columns: readonly string[],
  connection: Connection,
): Promise<ReadonlyMap<TablePlace, Row>> {
  const found = new Map<TablePlace, Row>();
  const groups = new Map<string | TablePlace, TablePlace[]>();
  for (const place of places) {
    const like = askedAlike(place) ?? place;
    groups.set(like, [...(groups.get(like) ?? []), place]);
  }
  for (const group of groups.values()) for (const [place, row] of await readGroup(group, columns, connection)) found.set(place, row);
  return found;
}

async function readGroup(
  group: readonly TablePlace[],
  columns: readonly string[],
  connection: Connection,
): Promise<readonly (readonly [TablePlace, Row])[]> {
  const [first, ...others] = group;
  if (first === undefined) return [];
  if (others.length === 0) {
    const row = await readShared(first, columns, connection);
    return row ? [[first, row]] : [];
  }
  if (connection.sight === undefined)
    return placed(await connection.run(compileAllShared(group, columns))).flatMap(([at, row]) =>
      group[at] ? [[group[at], row] as const] : [],
    );
  const seen = placed(await connection.run(compileAllNumbers(group)));
  const numbered = seen.map(([, [number]]): TablePlace => ({
    table: first.table,
    alias: first.alias,
    key: byNumber(number ?? ''),
    parents: [],
  }));
  const rows = numbered.length === 0 ? [] : placed(await connection.run(compileAllShared(numbered, columns)));
  return rows.flatMap(([at, row]) => {
    const place = group[seen[at]?.[0] ?? -1];
    return place ? [[place, row] as const] : [];
  });
}

// By the place of what was asked for, which SQL counts from one.
function placed(rows: readonly Row[]): readonly (readonly [number, Row])[] {
  return rows.map(([place, ...cells]) => [Number(place) - 1, cells]);
}

async function inSight(place: TablePlace, connection: Connection): Promise<TablePlace | undefined> {
  const [row] = await connection.run(compileNumbers(place, 1));
  return row?.[0] == null ? undefined : { table: place.table, alias: place.alias, key: byNumber(row[0]), parents: [] };
}

/** The properties of a new record that its place beneath a parent gives. */
export function givenByParent({ type, parents: [parent] }: Place): ReadonlySet<string> {
  return new Set([...(parent?.on ?? []), ...(parent?.copies ?? [])].map(([child]) => propertyOf(type, child)));
}

/** A record by its immutable number. */
export function byNumber(number: string): readonly KeyCondition[] {
  return [{ column: '#id', sqlType: 'bigint', value: number }];
}
