import { complexTypeNamed, targetOf } from '../../../runtime/edm/index.js';
import { type EntityContainer } from '../../../runtime/edm/entity-container.js';
import { type EntityType } from '../../../runtime/edm/entity-type.js';
import { type Navigation } from '../../../runtime/edm/navigation.js';
import { isArray, isObject, type Json, type JsonObject, printJson } from '../../../runtime/json/json.js';
import { ask, faultOf, full, idOf, query, readAll, type Subject } from './client.js';
import { literalOf } from './compare.js';
import { nameOf } from './places.js';
import type { Filled } from './records.js';
import { isSameShown } from './shown.js';

/** A navigation property of a collection's records. */
export interface Way {
  readonly path: string;
  readonly navigation: Navigation;
  readonly target: EntityType;
}

/** The navigation properties of a type, those of its complex values too. */
export function waysOf({ navigation }: EntityType, { container }: Subject): readonly Way[] {
  return Object.entries(navigation).flatMap(([path, one]) =>
    one.expandable === false ? [] : [{ path, navigation: one, target: targetOf(container, one) }],
  );
}

/** Follows a navigation property from every record, and finds the same where it is expanded, referred to, counted and filtered along. */
export async function askNavigation(subject: Subject, collection: Filled, way: Way): Promise<void> {
  const related: (readonly JsonObject[])[] = [];
  for (const row of collection.rows) related.push(await follow(subject, row, way));
  await askExpanded(subject, collection, way, related);
  await askReferences(subject, collection, way, related);
  await askAlong(subject, collection, way, related);
}

async function follow(subject: Subject, row: JsonObject, { path, navigation }: Way): Promise<readonly JsonObject[]> {
  const address = `${idOf(subject, row)}/${path.split('/').map(encodeURIComponent).join('/')}`;
  const answer = await ask(subject, address, { headers: full });
  // A value on the way may be null, or of another type.
  if (answer.status === 204 || (answer.status === 404 && path.includes('/'))) return [];
  if (answer.status !== 200 || answer.json === undefined) throw new Error(`${answer.request}: ${faultOf(answer)}`);
  return navigation.collection ? readAll(subject, address, full) : [answer.json];
}

async function askExpanded(subject: Subject, { path, rows }: Filled, way: Way, related: readonly (readonly JsonObject[])[]): Promise<void> {
  const options = way.navigation.collection ? subject.random.pick(['', '', '($count=true)']) : '';
  const address = `${path}${query({ $expand: `${way.path}${options}` })}`;
  const found = await readAll(subject, address, full);
  rows.forEach((_, index) => {
    const [shown, wanted] = [expandedIn(found[index], way.path, subject.container), related[index] ?? []];
    if (shown.length !== wanted.length || !shown.every((one, place) => isSameShown(one, wanted[place] ?? null)))
      throw new Error(`${decodeURIComponent(address)}: ${shown.map(printJson).join()} instead of ${wanted.map(printJson).join()}`);
  });
}

/** The expanded entities of an entity, or of a complex value of it. */
function expandedIn(row: JsonObject | undefined, path: string, container: EntityContainer): readonly JsonObject[] {
  let value: Json | undefined = row;
  for (const name of path.split('/')) {
    if (value === undefined || value === null || !isObject(value)) return [];
    if (!name.includes('.')) value = value.members.get(name);
    else if (!isOfType(value, name, container)) return [];
  }
  if (value === undefined || value === null) return [];
  return isArray(value) ? value.items.filter(isObject) : isObject(value) ? [value] : [];
}

// Values of different types may have members of one name. What says no type is of the declared one.
function isOfType({ members }: JsonObject, cast: string, container: EntityContainer): boolean {
  const said = members.get('@odata.type');
  const derived =
    complexTypeNamed(container, cast)?.derived ??
    Object.values(container.entityTypes).find(({ qualifiedName }) => qualifiedName === cast)?.derivedTypes ??
    [];
  return typeof said !== 'string' || [cast, ...derived].includes(said.slice(said.lastIndexOf('#') + 1));
}

async function askReferences(
  subject: Subject,
  { path, rows }: Filled,
  way: Way,
  related: readonly (readonly JsonObject[])[],
): Promise<void> {
  const address = `${path}${query({ $expand: `${way.path}/$ref` })}`;
  const found = await readAll(subject, address, full);
  rows.forEach((_, index) => {
    const [shown, wanted] = [expandedIn(found[index], way.path, subject.container), related[index] ?? []].map((list) =>
      list.map((one) => idOf(subject, one)).join(' '),
    );
    if (shown !== wanted) throw new Error(`${decodeURIComponent(address)}: ${shown} instead of ${wanted}`);
  });
}

// Filters and orders by related entities.
async function askAlong(subject: Subject, { path, rows }: Filled, way: Way, related: readonly (readonly JsonObject[])[]): Promise<void> {
  const counts = related.map(({ length }) => length);
  const name = nameOf(way.path);
  const [key = ''] = way.target.key;
  const some = related.flat()[0];
  const field = way.target.fields[key];
  const literal = some && field ? literalOf(field, some.members.get(key) ?? null) : undefined;
  const has = (index: number): boolean =>
    (related[index] ?? []).some((one) => printJson(one.members.get(key) ?? null) === printJson(some?.members.get(key) ?? null));
  const many: readonly (readonly [string, (index: number) => boolean])[] = [
    [`${name}/any()`, (index) => (counts[index] ?? 0) > 0],
    [`${name}/$count gt 1`, (index) => (counts[index] ?? 0) > 1],
    ...(literal === undefined ? [] : [[`${name}/any(zz:zz/${key} eq ${literal})`, has] as const]),
  ];
  const one: readonly (readonly [string, (index: number) => boolean])[] = [
    [`${name} ne null`, (index) => (counts[index] ?? 0) > 0],
    ...(literal === undefined
      ? []
      : [[`${name}/${key} eq ${literal}`, has] as const, [`not (${name}/${key} ne ${literal})`, has] as const]),
  ];
  // After a null value there is no count.
  for (const [text, holds] of way.navigation.collection ? many : one) {
    const address = `${path}${query({ $filter: text })}`;
    const found = (await readAll(subject, address, full)).map((row) => idOf(subject, row)).join(' ');
    const expected = rows
      .filter((_, index) => holds(index))
      .map((row) => idOf(subject, row))
      .join(' ');
    if (found !== expected) throw new Error(`${decodeURIComponent(address)}: ${found} instead of ${expected}`);
  }
  const sorted = `${path}${query({ $orderby: way.navigation.collection ? `${name}/$count desc` : `${name}/${key}` })}`;
  const all = await readAll(subject, sorted, { ...full, Prefer: 'maxpagesize=3' });
  if (all.length !== rows.length) throw new Error(`${decodeURIComponent(sorted)}: ${all.length} of ${rows.length} records`);
}
