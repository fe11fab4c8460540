import { type CopyClient, copyLines } from '../../../database/copy.js';
import { type EntityContainer, own } from '../../../edm/index.js';
import type { Row, SeedType } from './columns.js';
import { type CopyTarget, copyTargets, type CopyTargets } from './copy.js';
import { listingChanges, logSamples } from './changes.js';
import { listingOf, type Listing } from './listing.js';
import { fieldRows, lookupRows } from './lookups.js';
import { agentRow, officeMemberRow, officeRow } from './people.js';
import { worldOf, type World } from './world.js';

/** The amount and the seed of sample data. */
export interface SeedOptions {
  readonly listings: number;
  /** Another number gives other listings; the same number gives the same bytes. */
  readonly seed: number;
  readonly onProgress?: (listings: number) => void;
}

/** Number of rows by table, and of logged changes. */
export type SeedCounts = { readonly [Type in SeedType | 'EntityEvent']: number };

// Listings per COPY: enough to amortize it, few enough for memory.
const batch = 500;

/** Writes listings with their dependent rows, within the caller's transaction. */
export async function seed(client: CopyClient, container: EntityContainer, options: SeedOptions): Promise<SeedCounts> {
  const world = worldOf(container, options.listings, options.seed);
  const loader = loaderOf(client, copyTargets(container));
  await loadPeople(loader, world);
  await loader.load('Lookup', lookupRows(container));
  await loader.load('Field', fieldRows(container));
  const changes = listingChanges(world.draftPrefix);
  const historyPrefix = own(container.entityTypes, 'HistoryTransactional')?.keyGeneration?.prefix ?? '';
  for (let first = 1; first <= options.listings; first += batch) {
    const listings = Array.from({ length: Math.min(batch, options.listings - first + 1) }, (_, index) => listingOf(world, first + index));
    await loadListings(loader, listings, historyPrefix);
    listings.forEach(changes.add);
    options.onProgress?.(first + listings.length - 1);
  }
  return { ...loader.counts(), EntityEvent: await logSamples(client, container, changes) };
}

type Counts = { readonly [Type in SeedType]: number };

interface Loader {
  readonly load: <Type extends SeedType>(type: Type, rows: Iterable<Row<Type>>) => Promise<void>;
  /** For rows whose key is made of their number. */
  readonly loadNumbered: <Type extends SeedType, Part>(
    type: Type,
    parts: Iterable<Part>,
    complete: (part: Part, id: number) => Row<Type>,
  ) => Promise<void>;
  /** For rows that belong to a listing. */
  readonly loadChildren: <Type extends SeedType>(
    type: Type,
    listings: readonly Listing[],
    rowsOf: (listing: Listing) => readonly Row<Type>[],
  ) => Promise<void>;
  readonly counts: () => Counts;
}

// The numbers of a table continue from one batch to the next.
function loaderOf(client: CopyClient, targets: CopyTargets): Loader {
  const counts: { [Type in SeedType]: number } = {
    Office: 0,
    Member: 0,
    Property: 0,
    Media: 0,
    PropertyRooms: 0,
    OpenHouse: 0,
    HistoryTransactional: 0,
    Lookup: 0,
    Field: 0,
  };
  const loadNumbered: Loader['loadNumbered'] = async (type, parts, complete) => {
    const target = targets[type];
    const next = (): number => (counts[type] += 1);
    await copyLines(client, target.text, numberedLines(target, parts, complete, next));
  };
  return {
    loadNumbered,
    load: (type, rows) => loadNumbered(type, rows, (row) => row),
    loadChildren: async (type, listings, rowsOf) => {
      const target = targets[type];
      const next = (): number => (counts[type] += 1);
      await copyLines(client, target.text, childLines(target, listings, rowsOf, next));
    },
    counts: () => ({ ...counts }),
  };
}

function* numberedLines<Type extends SeedType, Part>(
  target: CopyTarget<Type>,
  parts: Iterable<Part>,
  complete: (part: Part, id: number) => Row<Type>,
  next: () => number,
): Generator<string> {
  for (const part of parts) {
    const id = next();
    yield target.line(id, complete(part, id));
  }
}

function* childLines<Type extends SeedType>(
  target: CopyTarget<Type>,
  listings: readonly Listing[],
  rowsOf: (listing: Listing) => readonly Row<Type>[],
  next: () => number,
): Generator<string> {
  for (const listing of listings) {
    for (const row of rowsOf(listing)) yield target.line(next(), row, listing.number);
  }
}

async function loadPeople(loader: Loader, { seed: number, crowd }: World): Promise<void> {
  const offices = Array.from({ length: crowd.offices }, (_, index) => index + 1);
  await loader.load(
    'Office',
    offices.map((office) => officeRow(number, office, crowd)),
  );
  await loader.load('Member', memberRows(number, offices, crowd));
}

function* memberRows(number: number, offices: readonly number[], crowd: World['crowd']): Generator<Row<'Member'>> {
  for (let agent = 1; agent <= crowd.agents; agent += 1) yield agentRow(number, agent, crowd);
  for (const office of offices) yield officeMemberRow(number, office, crowd);
}

// A listing's number is its position in the sequence, because its key is made of it.
async function loadListings(loader: Loader, listings: readonly Listing[], historyPrefix: string): Promise<void> {
  await loader.load(
    'Property',
    listings.map(({ property }) => property),
  );
  await loader.loadChildren('Media', listings, ({ media }) => media);
  await loader.loadChildren('PropertyRooms', listings, ({ rooms }) => rooms);
  await loader.loadChildren('OpenHouse', listings, ({ openHouses }) => openHouses);
  const history = listings.flatMap((listing) => listing.history);
  await loader.loadNumbered('HistoryTransactional', history, (row, id) => ({ HistoryTransactionalKey: `${historyPrefix}${id}`, ...row }));
}
