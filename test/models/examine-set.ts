import { mediaStream, own, primitives, streamOf, targetOf, type Stream } from '../../runtime/edm/index.js';
import { type EntityContainer } from '../../runtime/edm/entity-container.js';
import { type EntityType } from '../../runtime/edm/entity-type.js';
import { type Field } from '../../runtime/edm/field.js';
import { typesWithin } from '../../runtime/plan/path/derivation.js';
import { type Json, type JsonObject, printJson } from '../../runtime/json/json.js';
import { requiredFilter } from '../../runtime/tools/cli/introduce.js';
import { linkingProperties } from '../../runtime/plan/path/navigation-join.js';
import { keyRoom, ownReferences, sampleBody } from '../../runtime/tools/samples/sample-record.js';
import { nameOf } from './questions/places.js';
import { sampleMedia } from '../../runtime/tools/samples/seed-samples.js';

/** The checks of every entity set. */
export const setChecks = ['create', 'read', 'filter', 'expand'] as const;
export type SetCheck = (typeof setChecks)[number];

/** How a check ended; what the model does not offer is no failure. */
export type Verdict = 'held' | 'not offered' | { readonly failure: string };

interface Asked {
  /** The address beneath the root, encoded: of a set, or of what a record contains. */
  readonly path: string;
  readonly type: EntityType;
  readonly container: EntityContainer;
  readonly root: string;
  /** A number that no record was made of; the next one is another. */
  readonly fresh: () => number;
}

type Row = Readonly<Record<string, unknown>>;

/** Every entity set, and the collections that the first record of each contains. */
export async function collectionsOf({
  container,
  root,
}: Pick<Asked, 'container' | 'root'>): Promise<readonly Pick<Asked, 'path' | 'type'>[]> {
  const found: Pick<Asked, 'path' | 'type'>[] = [];
  for (const [set, name] of Object.entries(container.entitySets)) {
    const type = own(container.entityTypes, name);
    if (type === undefined) throw new Error(`The container has no type for ${set}.`);
    found.push({ path: encodeURIComponent(set), type }, ...(await containedIn(encodeURIComponent(set), type, { container, root })));
  }
  return found;
}

async function containedIn(
  path: string,
  type: EntityType,
  { container, root }: Pick<Asked, 'container' | 'root'>,
): Promise<readonly Pick<Asked, 'path' | 'type'>[]> {
  const contained = Object.entries(type.navigation).filter(([, { contains, collection }]) => contains && collection);
  if (contained.length === 0 || !isOffered(type, 'readCollection')) return [];
  const found = await Promise.all(
    contained.map(async ([name, navigation]) => ({
      id: await firstContaining(name, { path, type, root }),
      name,
      type: targetOf(container, navigation),
    })),
  );
  return found.flatMap(({ id, name, type: target }) =>
    id === undefined ? [] : [{ path: `${id.slice(root.length + 1)}/${name.split('/').map(encodeURIComponent).join('/')}`, type: target }],
  );
}

// A record that contains one, or else the first.
async function firstContaining(name: string, { path, type, root }: Pick<Asked, 'path' | 'type' | 'root'>): Promise<string | undefined> {
  return (
    idOf(await rows(`${root}/${path}?${filterOf(type, `${nameOf(name)}/any()`)}&$top=1`)) ??
    idOf(await rows(`${root}/${path}?${requiredFilter(type)}$top=1`))
  );
}

/** One create, one read by key, one filter and one expansion in a collection that has samples. */
export async function examineSet(asked: Asked): Promise<{ readonly [Check in SetCheck]: Verdict }> {
  if (concreteType(asked) === undefined)
    return { create: 'not offered', read: 'not offered', filter: 'not offered', expand: 'not offered' };
  const create = await settle(() => createOne(asked));
  const read = await settle(() => readOne(asked));
  return { create, read, filter: await settle(() => filterOne(asked)), expand: await settle(() => expandOne(asked)) };
}

async function settle(check: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await check();
  } catch (failure) {
    return { failure: failure instanceof Error ? failure.message : String(failure) };
  }
}

async function createOne(asked: Asked): Promise<Verdict> {
  if (!isOffered(asked.type, 'createEntity')) return 'not offered';
  if (areKeysUsedUp(asked.type) || isUncreatable(concreteType(asked) ?? asked.type)) return 'not offered';
  const created = await create(asked);
  return 'id' in created ? 'held' : created;
}

// Of a key that has few values, the samples have all that there are.
function areKeysUsedUp(type: EntityType): boolean {
  return keyRoom(type) <= 256;
}

// Bytes alone say nothing of what must have a value; the generator tells it.
function isUncreatable(type: EntityType): boolean {
  return streamOf(type, mediaStream) !== undefined && type.rules.requiredOnCreate.some((name) => !type.key.includes(name));
}

// Of an abstract type from which none derives there are no records.
function concreteType({ type, container }: Pick<Asked, 'type' | 'container'>): EntityType | undefined {
  return type.abstract ? typesWithin(type, container)[0] : type;
}

// A record whose key follows from a reference needs one to a record that no other refers to; of types that refer to
// each other in a circle, the last one refers to a record that exists.
async function create(
  { path, type, container, root, fresh }: Asked,
  within: readonly EntityType[] = [],
): Promise<{ readonly id: string } | { readonly failure: string }> {
  const concrete = concreteType({ type, container });
  if (concrete === undefined) return { failure: `no type derives from ${type.name}, which is abstract.` };
  const ids = new Map<EntityType, string>();
  for (const { navigation, target } of ownReferences(concrete, container)) {
    if (target.entitySet === undefined) continue;
    const isKey =
      navigation.sole === 'refuses' || linkingProperties(concrete, navigation, target).some((name) => concrete.key.includes(name));
    const other = { path: pathTo(target, target.entitySet, container), type: target, container, root };
    const isOuter = target === type || within.includes(target);
    const made = isKey && !isOuter ? await create({ ...other, fresh }, [...within, type]) : { id: await firstId(other) };
    if ('failure' in made) return { failure: `its ${target.name}: ${made.failure}` };
    if (made.id !== undefined) ids.set(target, made.id);
  }
  const body = sampleBody(concrete, fresh(), container, (target) => ids.get(target));
  const media = streamOf(concrete, mediaStream);
  if (media)
    return createMedia(`${root}/${path}`, concrete === type ? '' : `/${concrete.qualifiedName}`, keyPredicate(concrete, body), media);
  const members = concrete === type ? body.members : new Map([['@odata.type', `#${concrete.qualifiedName}`] as const, ...body.members]);
  const response = await fetch(`${root}/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: printJson({ kind: 'object', members }),
  });
  return idOfCreated(response);
}

// A set may hold records of more general types.
function pathTo({ qualifiedName }: EntityType, set: string, { entitySets, entityTypes }: EntityContainer): string {
  const isDeclared = own(entityTypes, own(entitySets, set) ?? '')?.qualifiedName === qualifiedName;
  return `${encodeURIComponent(set)}${isDeclared ? '' : `/${encodeURIComponent(qualifiedName)}`}`;
}

// Where the key is the client's to choose, the address of the stream says it.
async function createMedia(
  url: string,
  cast: string,
  key: string | undefined,
  stream: Stream,
): Promise<{ readonly id: string } | { readonly failure: string }> {
  const { type = 'application/octet-stream', bytes = new Uint8Array(1) } = sampleMedia(stream) ?? {};
  const sent = { headers: { 'Content-Type': type }, body: new Uint8Array(bytes) };
  const posted = await idOfCreated(await fetch(`${url}${cast}`, { method: 'POST', ...sent }));
  if ('id' in posted || key === undefined || cast !== '') return posted;
  return idOfCreated(await fetch(`${url}${key}/$value`, { method: 'PUT', ...sent }));
}

async function idOfCreated(response: Response): Promise<{ readonly id: string } | { readonly failure: string }> {
  const id = response.headers.get('Location');
  return response.status === 201 && id !== null ? { id } : { failure: await faultOf(response) };
}

// Of a set that is not read as a whole, a sample is found by the key that it was given.
async function firstId({ path, type, container, root }: Omit<Asked, 'fresh'>): Promise<string | undefined> {
  if (isOffered(type, 'readCollection')) return idOf(await rows(`${root}/${path}?${requiredFilter(type)}$top=1`));
  return `${root}/${path}${
    keyPredicate(
      type,
      sampleBody(type, 0, container, () => undefined),
    ) ?? '(null)'
  }`;
}

// Nothing where the service makes the key.
function keyPredicate({ key, fields }: EntityType, { members }: JsonObject): string | undefined {
  if (!key.every((name) => members.has(name))) return undefined;
  const literals = key.map((name) => [name, keyLiteral(fields[name], members.get(name) ?? null)] as const);
  return `(${literals.map(([name, text]) => (literals.length === 1 ? text : `${name}=${text}`)).join(',')})`;
}

function isOffered({ routes }: EntityType, operation: EntityType['routes'][number]['operation']): boolean {
  return routes.some((route) => route.operation === operation);
}

function keyLiteral(field: Field | undefined, key: Json): string {
  const text = typeof key === 'string' ? key : printJson(key);
  if (field?.enumeration || field?.type === 'Edm.String') return `'${encodeURIComponent(text.replaceAll("'", "''"))}'`;
  return field?.type === 'Edm.Duration' ? `duration'${text}'` : encodeURIComponent(text);
}

async function readOne(asked: Asked): Promise<Verdict> {
  const { path, type, root } = asked;
  if (!isOffered(type, 'readEntity')) return 'not offered';
  const id = await firstId(asked);
  if (id === undefined) return { failure: 'the set has no record, or one without an id.' };
  const read = (await json(id)) as Row;
  const [row] = isOffered(type, 'readCollection') ? await rows(`${root}/${path}?${requiredFilter(type)}$top=1`) : [read];
  const differs = type.key.filter((name) => JSON.stringify(read[name]) !== JSON.stringify(row?.[name]));
  return differs.length === 0 ? 'held' : { failure: `${id} has another ${differs.join(', ')}.` };
}

async function filterOne({ path, type, root }: Asked): Promise<Verdict> {
  if (!isOffered(type, 'readCollection')) return 'not offered';
  const [row] = await rows(`${root}/${path}?${requiredFilter(type)}$top=1`);
  if (row === undefined) return { failure: 'the set has no record.' };
  const chosen = Object.entries(type.fields).find(
    ([name, field]) => field.filterable !== false && !field.collection && primitives[field.type].ordered && row[name] != null,
  );
  if (chosen === undefined) return 'not offered';
  const [name, field] = chosen;
  const found = await rows(`${root}/${path}?${filterOf(type, `${nameOf(name)} eq ${literal(field, row[name])}`)}`);
  const wrong = found.some((other) => JSON.stringify(other[name]) !== JSON.stringify(row[name]));
  return found.length > 0 && !wrong
    ? 'held'
    : { failure: `${name} eq ${literal(field, row[name])} finds ${found.length} records${wrong ? ' with another value' : ''}.` };
}

async function expandOne({ path, type, root }: Asked): Promise<Verdict> {
  const names = Object.entries(type.navigation).flatMap(([path, { expandable }]) => (expandable === false ? [] : [path]));
  const name = names.find((path) => !path.includes('/')) ?? names[0];
  if (name === undefined || !isOffered(type, 'readCollection')) return 'not offered';
  const found = await rows(`${root}/${path}?${requiredFilter(type)}$top=2&$expand=${encodeURIComponent(name)}`);
  return found.length > 0 && found.every((row) => isShown(row, name.split('/')))
    ? 'held'
    : { failure: `$expand=${name} is missing in one of ${found.length} records.` };
}

// A complex value may be null, or of a type that leads nowhere.
function isShown(row: Row, [name = '', ...path]: readonly string[]): boolean {
  if (path.length === 0) return name in row;
  const value = row[name];
  const cast = path[0]?.includes('.') ? path.shift() : undefined;
  if (value === null) return true;
  return isRow(value) && ((cast !== undefined && value['@odata.type'] !== `#${cast}`) || isShown(value, path));
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}

// With what the model does not let a filter leave out.
function filterOf(type: EntityType, condition: string): string {
  const required = requiredFilter(type);
  return required === '' ? `$filter=${encodeURIComponent(condition)}` : required.replace(/&$/, encodeURIComponent(` and ${condition}`));
}

function literal({ type, enumeration }: Field, value: unknown): string {
  const text = String(value).replaceAll("'", "''");
  if (enumeration || type === 'Edm.String') return `'${text}'`;
  return type === 'Edm.Duration' ? `duration'${text}'` : text;
}

function idOf([row]: readonly Row[]): string | undefined {
  const id = row?.['@odata.id'];
  return typeof id === 'string' ? id : undefined;
}

async function rows(address: string): Promise<readonly Row[]> {
  return ((await json(address)) as { readonly value: readonly Row[] }).value;
}

// Full metadata has the address of every record.
async function json(address: string): Promise<unknown> {
  const response = await fetch(address, { headers: { Accept: 'application/json;odata.metadata=full' } });
  if (response.status !== 200) throw new Error(`${address.replace(/^.*\/odata\//, '')}: ${await faultOf(response)}`);
  return response.json();
}

async function faultOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as {
    readonly error: { readonly message: string; readonly details?: readonly { readonly message: string }[] };
  };
  return [String(response.status), error.message, ...(error.details ?? []).map(({ message }) => message)].join(' ');
}
