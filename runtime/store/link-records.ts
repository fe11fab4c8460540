import type { EntityType, JoinTable, Navigation, StoredRecord, StoredValue } from '../edm/index.js';
import { fieldOf, propertyOf } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isOwnColumn, isShared } from '../plan/path/navigation-join.js';
import type { Link, WritePlan } from '../plan/write/write-plan.js';
import { compileLink } from '../sql/compile-relations.js';
import type { Connection } from '../sql/statement.js';
import { columnValue } from './nested-values.js';
import type { Place } from '../sql/compile-target.js';
import { byNumber, findTarget, readAllNumbers, readShared, requireValues } from './locate-record.js';
import type { LockedRecord, Stored } from './stored-record.js';
import type { WriteTransaction } from './write-scope.js';

/** A resolved link: values of the entity itself, another entity that gets values, or a row of a join table. */
export type ResolvedLink =
  | { readonly kind: 'own'; readonly values: StoredRecord; /** The link with these values. */ readonly link?: Link }
  | { readonly kind: 'other'; readonly link: Link; readonly locked: LockedRecord }
  | { readonly kind: 'joined'; readonly through: JoinTable; readonly other: string };

/** The links of a body, its values by property, and the number of the entity unless it is new. */
interface LinkedBody extends Pick<WritePlan, 'type' | 'links' | 'values'> {
  readonly id?: string;
}

/** Resolves the links of a body, those that end a relation first, with a fault for each that is not found. */
export async function resolveLinks(
  body: LinkedBody,
  scope: WriteTransaction,
): Promise<{ readonly resolved: readonly ResolvedLink[]; readonly faults: readonly ErrorDetail[] }> {
  const { type, links = [] } = body;
  const ended: ResolvedLink[] = [];
  const resolved: ResolvedLink[] = [];
  const faults: ErrorDetail[] = [];
  // A body may have a thousand of them.
  const joined = links.flatMap(({ place, navigation }) => (place && navigation.through ? [place] : []));
  const numbers = await readAllNumbers(joined, scope.connection);
  for (const link of links) {
    const found = await resolveLink(body, link, numbers, scope);
    if (found === undefined) faults.push(errors.invalidReference(link.id, link.at, link.target.name).asDetail(link.at));
    else if (found.kind === 'own') faults.push(...lackingFaults(type, found.values, link));
    if (found !== undefined) (link.place === undefined ? ended : resolved).push(found);
  }
  return { resolved: [...ended, ...resolved], faults };
}

async function resolveLink(
  body: LinkedBody,
  link: Link,
  numbers: ReadonlyMap<Place, string>,
  { connection, container }: WriteTransaction,
): Promise<ResolvedLink | undefined> {
  const { type } = body;
  const { place, navigation, target } = link;
  if (place === undefined) return { kind: 'own', link, values: await endingValues(navigation, body, connection) };
  if (navigation.through) {
    const other = numbers.get(place);
    return other === undefined ? undefined : { kind: 'joined', through: navigation.through, other };
  }
  if (isOwnColumn(navigation, target)) {
    const pairs = Object.entries({ ...navigation.join, ...navigation.mirrors });
    const columns = pairs.map(([, column]) => column);
    const row = await readShared(place, columns, connection);
    return row && { kind: 'own', link, values: new Map(pairs.map(([own], index) => [propertyOf(type, own), row[index] ?? null])) };
  }
  const locked = await findTarget(place, { connection, container });
  return locked && { kind: 'other', link, locked };
}

/** The values that end a relation of an entity. A property that several relations share keeps the key of another one's target. */
export async function endingValues(navigation: Navigation, body: LinkedBody, connection: Connection): Promise<StoredRecord> {
  const { type } = body;
  const keeps = isShared(navigation, type) && !(await isSharer(navigation, body, connection));
  return new Map(Object.keys({ ...navigation.join, ...(!keeps && navigation.mirrors) }).map((column) => [propertyOf(type, column), null]));
}

// Whether the shared property has the key of this relation's target; a value in the body is that of another one.
async function isSharer({ join, mirrors = {} }: Navigation, { type, values, id }: LinkedBody, connection: Connection): Promise<boolean> {
  if (id === undefined || Object.keys(mirrors).some((column) => values.has(propertyOf(type, column)))) return false;
  const row = await readShared({ type, alias: 't0', key: byNumber(id), parents: [] }, Object.keys(join), connection);
  return row?.[0] != null;
}

/** A fault where an entity would lose a required value. */
export function lackingFaults(type: EntityType, values: StoredRecord, { at }: Pick<Link, 'at'>): readonly ErrorDetail[] {
  const lacking = [...values].some(([name, value]) => value === null && !mayBeNull(type, name));
  return lacking ? [errors.nullNotAllowed(at).asDetail(at)] : [];
}

// The `#id` reference is null where the model permits it.
function mayBeNull(type: EntityType, name: string): boolean {
  if (!name.startsWith('#')) return fieldOf(type, name)?.nullable === true;
  return !Object.values(type.navigation).some(({ required, join }) => required && Object.hasOwn(join, name));
}

/** Relates a stored entity to those that its links resolved to. */
export async function joinRecords(links: readonly ResolvedLink[], id: string, connection: Connection): Promise<void> {
  const joined = links.filter((link) => link.kind === 'joined');
  for (const through of new Set(joined.map((link) => link.through))) {
    const others = joined.filter((link) => link.through === through).map(({ other }) => other);
    await connection.run(compileLink(through, id, ...others));
  }
}

/** The values of another entity that relate it to this one, by its constraint. */
export function valuesForOther({ join, mirroredBy }: Navigation, type: EntityType, target: EntityType, one: Stored): StoredRecord {
  const pairs = [...Object.entries(join), ...Object.entries(mirroredBy ?? {})];
  return new Map(pairs.map(([own, other]) => [propertyOf(target, other), linkingValue(type, one, own)]));
}

/** The relating values of a new entity; throws where one is null, since null equals nothing. */
export function joiningValues(navigation: Navigation, type: EntityType, target: EntityType, one: Stored): StoredRecord {
  const values = valuesForOther(navigation, type, target, one);
  requireValues(values, target);
  return values;
}

/** The values of this entity that relate it to another one, by its constraint. */
export function valuesForOwn({ join, mirrors }: Navigation, type: EntityType, target: EntityType, other: Stored): StoredRecord {
  const pairs = Object.entries({ ...join, ...mirrors });
  return new Map(pairs.map(([own, column]) => [propertyOf(type, own), linkingValue(target, other, column)]));
}

function linkingValue(type: EntityType, { id, record }: Stored, column: string): StoredValue {
  return column === '#id' ? id : columnValue(type, record, column);
}
