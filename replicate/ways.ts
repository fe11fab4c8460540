import { execute } from '../client/send.js';
import { ServiceError } from '../client/errors.js';
import { pagePlan } from '../client/pages.js';
import { linkIn, type Received } from '../client/receive.js';
import { UsageError } from '../generator/config/config.js';
import { readDelta } from './changed-records.js';
import { compareKeys } from './compare-keys.js';
import { eventSet } from './copied-set.js';
import { eventKey, type ServiceRecord } from './key.js';
import { pagesAt, readByKeys } from './read-records.js';
import type { SetCopy } from './set-copy.js';
import { address, namesOf, recordsAddress } from './set-query.js';

/** A way to learn of changes. */
export interface Way {
  readonly name: string;
  /** Its name in reports. */
  readonly by: string;
  /** Seconds between two reads of changes. */
  readonly interval: number;
  /** Where it begins, found before the first page is read; undefined where the service does not offer it. */
  readonly mark: (copy: SetCopy) => Promise<string | undefined>;
  /** Copies the changes since the last time. */
  readonly follow: (copy: SetCopy) => Promise<void>;
}

/** Throws where the service does not offer the way that was asked for. */
export async function requireWay(copy: SetCopy): Promise<void> {
  const { set, options, state } = copy;
  const wanted = wayNamed(options.way);
  if (wanted === undefined || state.phase === 'following' || (await isOffered(wanted, copy))) return;
  const offered: string[] = [];
  for (const way of ways) if (await isOffered(way, copy)) offered.push(way.name);
  throw new UsageError(`--way ${wanted.name} is not offered for ${set.name}, only ${offered.join(', ')}; omit --way to use the best.`);
}

async function isOffered(way: Way, copy: SetCopy): Promise<boolean> {
  return way.name === 'delta' ? isTracked(copy) : (await way.mark(copy)) !== undefined;
}

// Whether the first answer tells that changes are tracked, or has the link already.
function isTracked({ set, service, options: { signal } }: SetCopy): Promise<boolean> {
  const first = pagePlan(recordsAddress(set, { count: true }), { pageSize: 1, signal }, tracking);
  return execute(service, { ...first, read: tracksChanges });
}

function tracksChanges(received: Received): boolean {
  return /track-changes/.test(received.headers.get('preference-applied') ?? '') || linkIn(received, 'deltaLink') !== undefined;
}

const none = (): Promise<undefined> => Promise.resolve(undefined);

/** The ways from the best to the last resort. A delta link comes with the last page, and not before the first. */
export const ways: readonly Way[] = [
  { name: 'delta', by: 'delta links', interval: 1, mark: none, follow: followDelta },
  { name: 'events', by: eventSet, interval: 1, mark: lastEvent, follow: followEvents },
  { name: 'timestamp', by: 'timestamps', interval: 60, mark: lastTimestamp, follow: followTimestamp },
  { name: 'all', by: 'reading all records', interval: 600, mark: () => Promise.resolve(''), follow: (copy) => copy.startOver() },
];

/** The way with the name. */
export function wayNamed(name: string | undefined): Way | undefined {
  return ways.find((way) => way.name === name);
}

/** The preference that asks for delta links (Protocol 8.2.8.6), also by its name in 4.0; each request for one repeats it. */
export const tracking = 'track-changes,odata.track-changes';

async function followDelta(copy: SetCopy): Promise<void> {
  const { set, state } = copy;
  for await (const { records, next, delta } of pagesAt(copy, state.link ?? '', tracking)) {
    const link = next ?? delta;
    if (link === undefined) throw new Error(`The last page of changes of ${set.name} has no delta link.`);
    const page = readDelta(set, records);
    const read = await readByKeys(copy, page.unclear);
    if (page.unclear.length > 0) await copy.save(read, {});
    await copy.save(page, { link });
  }
}

/** A record of EntityEvent. */
interface EntityEvent {
  readonly EntityEventSequence: number | string;
  readonly ResourceRecordKey: string;
}

async function lastEvent(copy: SetCopy): Promise<string | undefined> {
  const { name, key, hasEvents } = copy.set;
  if (!hasEvents) return undefined;
  const last = await firstValue(copy, 'EntityEventSequence', eventsAddress(name, { $orderby: 'EntityEventSequence desc' }));
  if (last !== noRecords) return last;
  // A set without records has no events yet.
  const [{ name: first } = { name: '' }] = key;
  return isAskedFor(copy, 'events') && (await firstValue(copy, first, address(name, { $select: first }))) === noRecords ? '0' : undefined;
}

async function followEvents(copy: SetCopy): Promise<void> {
  const { set, state } = copy;
  const after = `EntityEventSequence gt ${state.marks?.['events'] ?? 0}`;
  const events = eventsAddress(set.name, { $orderby: 'EntityEventSequence' }, after);
  for await (const { records } of pagesAt<EntityEvent>(copy, events)) {
    const last = records.at(-1);
    if (last === undefined) return;
    const keys = [...new Set(records.map((event) => event.ResourceRecordKey))].map((text) => eventKey(set, text));
    await copy.save(await readByKeys(copy, keys), { marks: { events: String(last.EntityEventSequence) } });
  }
}

function eventsAddress(set: string, options: { readonly $orderby: string }, after?: string): string {
  const filter = [`ResourceName eq '${set}'`, ...(after === undefined ? [] : [after])].join(' and ');
  return address(eventSet, { $filter: filter, ...options });
}

async function lastTimestamp(copy: SetCopy): Promise<string | undefined> {
  const { set } = copy;
  if (set.timestamp === undefined) return undefined;
  const { name, timestamp, query } = set;
  const newest = { $select: timestamp, $filter: query.filter, $orderby: `${timestamp} desc` };
  const last = await firstValue(copy, timestamp, address(name, newest));
  return last === noRecords && !isAskedFor(copy, 'timestamp') ? undefined : last;
}

// Several records may have one timestamp, and a record may appear with an earlier one than the last that was read.
async function followTimestamp(copy: SetCopy): Promise<void> {
  const { set, state, options } = copy;
  const { timestamp = '' } = set;
  const orderby = `${timestamp},${namesOf(set.key)}`;
  for await (const { records } of pagesAt(copy, recordsAddress(set, { ...since(copy), orderby }))) {
    const mark = records.at(-1)?.[timestamp];
    // Records without a timestamp come first, in a set that was empty.
    const next = typeof mark === 'string' ? { marks: { timestamp: mark } } : {};
    if (records.length > 0) await copy.save({ records, removed: [] }, next);
  }
  if (Date.now() - Date.parse(state.comparedAt ?? '1970-01-01') >= options.compareEvery) await compareKeys(copy);
}

// All records, where there were none.
function since({ set, state, options }: SetCopy): { readonly filter?: string } {
  const { timestamp = noRecords } = state.marks ?? {};
  if (timestamp === noRecords) return {};
  return { filter: `${set.timestamp} ge ${new Date(Date.parse(timestamp) - options.overlap).toISOString()}` };
}

// Of a set without records nobody knows whether its timestamps or events will follow: whoever asks for a way does.
function isAskedFor({ options }: SetCopy, way: string): boolean {
  return options.way === way;
}

const noRecords = '';

// The value in the first record; none where this caller may not read it.
async function firstValue(copy: SetCopy, property: string, newest: string): Promise<string | undefined> {
  const plan = pagePlan<ServiceRecord>(`${newest}&$top=1`, { signal: copy.options.signal });
  try {
    const { records } = await execute(copy.service, plan);
    if (records.length === 0) return noRecords;
    const value = records[0]?.[property];
    return value === undefined || value === null ? undefined : String(value);
  } catch (error) {
    if (error instanceof ServiceError && [400, 401, 403, 404, 405, 501].includes(error.status)) return undefined;
    throw error;
  }
}
