import type { CopyClient } from '../../../database/copy.js';
import type { EntityContainer } from '../../../edm/index.js';
import { listingChanges, logSamples } from './changes.js';
import { listingOf, worldOf } from './listing.js';
import { loaderOf } from './loader.js';
import { fieldRows, lookupRows } from './lookups.js';
import { agentRow, officeMemberRow, officeRow } from './people.js';

/** The amount and the seed of sample data. */
export interface SeedOptions {
  readonly listings: number;
  /** Another number gives other listings; the same number gives the same bytes. */
  readonly seed: number;
  readonly onProgress?: (listings: number) => void;
}

/** Number of rows by table, and of logged changes as `EntityEvent`. */
export type SeedCounts = { readonly [type: string]: number };

// Listings per COPY: enough to amortize it, few enough for memory.
const batch = 500;

/** Writes listings with their dependent rows, within the caller's transaction. */
export async function seed(client: CopyClient, container: EntityContainer, options: SeedOptions): Promise<SeedCounts> {
  const world = worldOf(container, options.listings, options.seed);
  const { load, counts } = loaderOf(client, container);
  const [offices, agents] = [range(1, world.crowd.offices), range(1, world.crowd.agents)];
  await load('Office', alone(offices.map((office) => officeRow(options.seed, office, world.crowd))));
  await load('Member', alone(agents.map((agent) => agentRow(options.seed, agent, world.crowd))));
  await load('Member', alone(offices.map((office) => officeMemberRow(options.seed, office, world.crowd))));
  const changes = listingChanges(world.draftPrefix);
  for (let first = 1; first <= options.listings; first += batch) {
    const listings = range(first, Math.min(options.listings, first + batch - 1)).map((number) => listingOf(world, number));
    // A listing's number is its position in the sequence, because its key is made of it.
    await load('Property', alone(listings.map(({ property }) => property)));
    await load(
      'Media',
      listings.flatMap(({ number, media }) => media.map((row) => [row, number] as const)),
    );
    await load(
      'PropertyRooms',
      listings.flatMap(({ number, rooms }) => rooms.map((row) => [row, number] as const)),
    );
    await load(
      'OpenHouse',
      listings.flatMap(({ number, openHouses }) => openHouses.map((row) => [row, number] as const)),
    );
    await load('HistoryTransactional', alone(listings.flatMap(({ history }) => history)));
    listings.forEach(changes.add);
    options.onProgress?.(first + listings.length - 1);
  }
  await load('Lookup', alone(lookupRows(container)));
  await load('Field', alone(fieldRows(container)));
  return { ...Object.fromEntries(counts), EntityEvent: await logSamples(client, container, changes) };
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function* alone<Row>(rows: Iterable<Row>): Generator<readonly [Row]> {
  for (const row of rows) yield [row];
}
