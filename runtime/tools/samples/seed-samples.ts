import { anyone } from '../../database/cancel.js';
import type { ConnectionPool } from '../../database/pool.js';
import { withConnection } from '../../database/run.js';
import { type EntityContainer, type EntityType, generatedKeyProperty, isDirect, own, type Stream } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { ODataError } from '../../errors/odata-error.js';
import { everybody, type Caller } from '../../plan/caller.js';
import { planCreateGraph } from '../../plan/write/plan-graph.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import type { Connection } from '../../sql/statement.js';
import { createRecord } from '../../store/create-record.js';
import { quote } from '../../schema/identifier.js';
import { byNumber, findRecord } from '../../store/locate-record.js';
import { createPooledStore } from '../../store/pooled-store.js';
import { isRandomKey, keyRoom, sampleBody } from './sample-record.js';
import { containersOf, sampleOrder, sampleParent } from './sample-order.js';
import { mediaTypeAccepted } from '../../plan/plan-stream.js';
import { isRemoved } from '../../store/nested-values.js';
import { setStream, storeChunks } from '../../features/media-streams/stream-store.js';
import type { WriteTransaction } from '../../store/write-scope.js';

/** How many samples each type has, and of which there are none. */
interface Samples {
  readonly rows: { readonly [type: string]: number };
  readonly refused: readonly { readonly type: string; readonly reason: string }[];
}

/**
 * Creates samples of every type of any model, through the service's own writes, so that all rules of the model hold.
 * Fills only an empty database. `onProgress` gets the number of tried samples, type by type.
 */
export async function seedSamples(
  pool: ConnectionPool,
  container: EntityContainer,
  count: number,
  onProgress: OnSample = () => undefined,
): Promise<Samples> {
  const open = openToAll(container);
  // The change log has the rows of the set of events, which has no table.
  const types = sampleOrder(open).filter((type) => !type.abstract && type.events === undefined && !isElsewhere(type, open));
  const found = await foundSingletons(pool, types);
  if (found === undefined) return { rows: {}, refused: [] };
  const made = new Map<string, string[]>();
  const refused: { type: string; reason: string }[] = [];
  const sizes = types.map(({ singleton }) => (singleton === undefined ? count : 1));
  for (const [place, type] of types.entries()) {
    const there = found.get(type) ?? [];
    made.set(keyOf(type), [...there]);
    const reason = there.length > 0 ? undefined : await createSamples(type, sizes[place] ?? 0, { pool, container: open, made });
    if (reason !== undefined) refused.push({ type: type.name, reason });
    onProgress(sum(sizes.slice(0, place + 1)), sum(sizes));
  }
  const rows = types.filter((type) => !found.has(type)).map((type) => [keyOf(type), made.get(keyOf(type))?.length ?? 0] as const);
  return { rows: Object.fromEntries(rows), refused };
}

type OnSample = (done: number, total: number) => void;

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

interface Seeding {
  readonly pool: ConnectionPool;
  readonly container: EntityContainer;
  /** The numbers of the records of each type. */
  readonly made: ReadonlyMap<string, string[]>;
}

// The first rejection ends a type: the others would be rejected for the same reason. A conflict after the first sample
// is ignored, since keys may be exhausted.
async function createSamples(type: EntityType, count: number, seeding: Seeding): Promise<string | undefined> {
  // Types that derive from each other share a table, and its keys.
  const others = relatives(type, seeding.container);
  if (hasNoParent(type, seeding)) return undefined;
  const first = sum(others.map((other) => seeding.made.get(keyOf(other))?.length ?? 0));
  const room = Math.ceil(keyRoom(type) / others.filter(({ abstract }) => !abstract).length);
  const end = first + Math.min(count, room);
  for (let index = first; index < end; index++) {
    try {
      const number = await createPooledStore(seeding.pool).transaction(
        (connection) => createSample(type, index, seeding, connection),
        anyone,
      );
      seeding.made.get(keyOf(type))?.push(number);
    } catch (failure) {
      if (failure instanceof ODataError && failure.code === errors.conflict.code && (index > first || isTaken(type, first)))
        return undefined;
      if (failure instanceof ODataError) return [failure.message, ...(failure.details ?? []).map(({ message }) => message)].join(' ');
      throw failure;
    }
  }
  return undefined;
}

// A contained sample requires a parent, and types with few keys may have left none.
function hasNoParent(type: EntityType, { container, made }: Seeding): boolean {
  return type.contained !== undefined && !containersOf(type, container).some(({ owner }) => (made.get(keyOf(owner)) ?? []).length > 0);
}

// Where there is room for one record, or for a few, types that this one derives from may have it.
function isTaken(type: EntityType, first: number): boolean {
  return first > 0 && (type.singleton !== undefined || type.contained === 'one' || first >= keyRoom(type));
}

async function createSample(type: EntityType, index: number, { container, made }: Seeding, connection: Connection): Promise<string> {
  const body = sampleBody(type, index, container, (target) => referenceTo(target, index, { container, made }));
  const parent = sampleParent(type, index, container, (owner) => made.get(keyOf(owner)) ?? []);
  const plan = planCreateGraph(type, body, {
    container,
    ...(parent && { given: parent.given }),
    caller: sampler,
    format: { ieee754Compatible: false },
    version: '4.01',
    requireCurrent: () => undefined,
    refer: (id) => placeOf(id, container),
  });
  const scope = { connection, container, extensions: {}, caller: sampler, member: undefined, named: new Map() };
  const number = await createRecord(plan, scope, await parent?.values(connection));
  await fillStreams(type, number, scope);
  return number;
}

// The record of the same place in its type's row, so that a key made of references is another one every time; of the own type the last one.
function referenceTo(target: EntityType, index: number, { container, made }: Pick<Seeding, 'container' | 'made'>): string | undefined {
  const { qualifiedName } = target;
  const numbers = relatives(target, container)
    .filter((type) => type === target || type.baseTypes?.includes(qualifiedName))
    .flatMap((type) => made.get(keyOf(type)) ?? []);
  const number = numbers[Math.min(index, numbers.length - 1)];
  return number === undefined ? undefined : `${keyOf(target)}#${number}`;
}

// The name in the container.
function keyOf({ name, place = '' }: EntityType): string {
  return `${name}${place}`;
}

// A type that has records in some place has none in no place.
function isElsewhere(type: EntityType, { entityTypes }: EntityContainer): boolean {
  return !isPlaced(type) && Object.values(entityTypes).some((other) => other.qualifiedName === type.qualifiedName && isPlaced(other));
}

function isPlaced({ entitySet, singleton, contained }: EntityType): boolean {
  return entitySet !== undefined || singleton !== undefined || contained !== undefined;
}

function relatives({ table }: EntityType, { entityTypes }: EntityContainer): readonly EntityType[] {
  return Object.values(entityTypes).filter((type) => type.table === table);
}

function placeOf(id: string, { entityTypes }: EntityContainer): RecordTarget | ODataError {
  const [name = '', number = ''] = id.split('#');
  const type = own(entityTypes, name);
  if (type === undefined) return errors.notFound(`entity type ${name}`);
  return { type, alias: 't0', parents: [], key: byNumber(number), via: undefined };
}

// Samples are of types too that clients only read, and have the required values that only an extension would compute, and keys that repeat.
function openToAll(container: EntityContainer): EntityContainer {
  const types = Object.entries(container.entityTypes).map(([name, type]) => {
    const computed = type.rules.computed.filter((property) => !isNeverSet(type, property) && !isRandomKey(type, property));
    return [name, { ...type, permissions: everybody, rules: { ...type.rules, computed } }] as const;
  });
  return { ...container, entityTypes: Object.fromEntries(types) };
}

// Neither a default, nor a rule, nor the generation of keys gives the property the value that it requires.
function isNeverSet(type: EntityType, property: string): boolean {
  const field = own(type.fields, property);
  if (field === undefined || field.nullable || field.default !== undefined) return false;
  return !Object.hasOwn(type.rules.onInsert, property) && generatedKeyProperty(type) !== property;
}

// A singleton has its record from the migration where defaults fill it, and keeps it; undefined where anything else has records.
async function foundSingletons(
  pool: ConnectionPool,
  types: readonly EntityType[],
): Promise<ReadonlyMap<EntityType, readonly string[]> | undefined> {
  return withConnection(pool, async (connection) => {
    const found = new Map<EntityType, readonly string[]>();
    for (const type of types) {
      const [row] = await connection.run({ text: `select "#id" from ${quote(type.table)} limit 1`, bind: [] });
      if (row === undefined) continue;
      if (type.singleton === undefined) return undefined;
      found.set(type, [row[0] ?? '']);
    }
    return found;
  });
}

interface SampleMedia {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A grey pixel, which suits most streams, and a text. */
const media: readonly SampleMedia[] = [
  {
    type: 'image/png',
    bytes: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64'),
  },
  { type: 'text/plain', bytes: Buffer.from('A sample.') },
];

/** Content that a stream accepts; for other media types, placeholder bytes. */
export function sampleMedia({ mediaTypes, maxLength = Infinity }: Stream): SampleMedia | undefined {
  const named = mediaTypes?.find((type) => !type.includes('*'));
  const found =
    media.find(({ type }) => mediaTypeAccepted(type, mediaTypes)) ??
    (named === undefined ? undefined : { type: named, bytes: Buffer.from('A sample.') });
  return found && found.bytes.length <= maxLength ? found : undefined;
}

/** The caller that writes samples, in a container without restrictions. */
const sampler: Caller = { subject: 'samples', scopes: new Set() };

/** Gives a sample record something in each of its streams. */
async function fillStreams(type: EntityType, id: string, scope: WriteTransaction): Promise<void> {
  const { connection, container } = scope;
  for (const [name, stream] of Object.entries(type.streams ?? {})) {
    const sample = sampleMedia(stream);
    const locked = sample && (await findRecord(type, byNumber(id), { connection, container }));
    // A complex value may be none, or of a type that has no such stream.
    if (locked && (isDirect(name) || !isRemoved(name, locked.record, container)))
      await setStream(locked, stream, await storeChunks(sample.type, [sample.bytes], connection), scope);
  }
}
