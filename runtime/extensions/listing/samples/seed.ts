import { type CopyClient, copyCell, copyLines, type CopyValue } from '../../../database/copy.js';
import { type EntityContainer, columnOf, type EntityType, own, changeColumns, changeTable } from '../../../edm/index.js';
import { listingOf, worldOf, type Listing } from './listing.js';
import { fieldRows, lookupRows } from './lookups.js';
import { agentRow, officeMemberRow, officeRow } from './people.js';
import { quote, literal } from '../../../schema/identifier.js';
import { firstVersion } from '../../../sql/stored-cells.js';
import { ConfigError } from '../../../config/config.js';
import type { Row, SeedType } from './columns.js';
import { takeMark } from '../../../schema/change-mark.js';

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
    const parts = <Part>(partsOf: (listing: Listing) => readonly Part[]): readonly (readonly [Part, number])[] =>
      listings.flatMap((listing) => partsOf(listing).map((part) => [part, listing.number] as const));
    await load(
      'Media',
      parts(({ media }) => media),
    );
    await load(
      'PropertyRooms',
      parts(({ rooms }) => rooms),
    );
    await load(
      'OpenHouse',
      parts(({ openHouses }) => openHouses),
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

/** Fills tables with COPY. */
interface Loader {
  /** Writes rows, which get the next numbers of their table; dependent ones with the number of their listing. */
  readonly load: <Type extends SeedType>(type: Type, rows: Iterable<readonly [row: Row<Type>, listing?: number]>) => Promise<void>;
  /** The number of rows so far by table. */
  readonly counts: ReadonlyMap<string, number>;
}

function loaderOf(client: CopyClient, { entityTypes }: EntityContainer): Loader {
  const counts = new Map<string, number>();
  return {
    counts,
    load: async (name, rows) => {
      const type = own(entityTypes, name);
      if (type === undefined) throw new ConfigError(`The sample data needs the entity type ${name}, but this model has none.`);
      const { text, line } = copyTarget(type);
      let id = counts.get(name) ?? 0;
      function* lines(): Generator<string> {
        for (const [row, listing] of rows) yield line(++id, row, listing);
      }
      await copyLines(client, text, lines());
      counts.set(name, id);
    },
  };
}

interface CopyTarget {
  readonly text: string;
  readonly line: (id: number, row: { readonly [name: string]: CopyValue }, listing?: number) => string;
}

function copyTarget(type: EntityType): CopyTarget {
  const names = Object.keys(type.fields);
  const link = linkColumn(type);
  const columns = ['#id', '#version', ...(link === undefined ? [] : [link]), ...names.map((name) => columnOf(type, name))];
  return {
    text: `copy ${quote(type.table)} (${columns.map(quote).join(', ')}) from stdin`,
    line: (id, row, listing) => {
      let line = `${id}\t${firstVersion(id)}`;
      if (link !== undefined) line += `\t${listing ?? '\\N'}`;
      for (const name of names) line += `\t${copyCell(row[name] === undefined ? generatedValue(type, name, id) : row[name])}`;
      return `${line}\n`;
    },
  };
}

// As the service sets a property: a key made of the number, a constant, or the default.
function generatedValue({ key, keyGeneration, rules, fields }: EntityType, name: string, id: number): CopyValue {
  if (keyGeneration && key.includes(name)) return `${keyGeneration.prefix}${id}`;
  const generated = own(rules.onInsert, name);
  return generated?.kind === 'constant' ? generated.value : (fields[name]?.default ?? null);
}

// The column with the number of the listing.
function linkColumn(type: EntityType): string | undefined {
  const join = own(type.navigation, 'Property')?.join ?? {};
  return Object.keys(join).find((column) => column.startsWith('#') && join[column] === '#id');
}

const start = Date.UTC(2023, 0, 1) / 1000;
// 27 bits of seconds, 25 of the listing's number and one more fit exactly into a double.
const numbers = 2 ** 25;

/** Collects the times of changes of listings in eight bytes each, because changes are numbered in order of time over all listings. */
interface ListingChanges {
  readonly add: (listing: Listing) => void;
  readonly lines: () => Iterable<string>;
}

/** An empty list. A listing's first change has the draft key, as it did at the time. */
function listingChanges(draftPrefix: string): ListingChanges {
  const changes: number[] = [];
  const drafts = new Set<number>();
  return {
    add: ({ number, property, events: seconds }) => {
      if (property.StandardStatus === 'Incomplete') drafts.add(number);
      // The time is in the high bits, so that sorting sorts by time; the last bit marks the creation.
      seconds.forEach((second, index) => changes.push(((second - start) * numbers + number) * 2 + (index === 0 ? 0 : 1)));
    },
    lines: () => copiedLines(Float64Array.from(changes).sort(), drafts, draftPrefix),
  };
}

// A draft that is published later has another key, and its former key no record.
function* copiedLines(changes: Float64Array, drafts: ReadonlySet<number>, draftPrefix: string): Generator<string> {
  for (const change of changes) {
    const number = Math.floor(change / 2) % numbers;
    const isFirst = change % 2 === 0;
    const key = isFirst || drafts.has(number) ? `${draftPrefix}${number}` : String(number);
    yield `Property\t${key}\t${isFirst ? 'c' : 'u'}\n`;
  }
}

const columns = [changeColumns.set, changeColumns.key, changeColumns.operation].map(quote).join(', ');

/** The sets whose samples have one change each, before and after those of listings: parents come first. */
const others = { before: ['Office', 'Member'], after: ['Media', 'PropertyRooms', 'OpenHouse'] } as const;

/** Logs the changes of the samples; returns their number. */
async function logSamples(client: CopyClient, { entityTypes }: EntityContainer, listings: ListingChanges): Promise<number> {
  const logAll = async (sets: readonly string[]): Promise<void> => {
    for (const set of sets) {
      const { table = set, key = [] } = entityTypes[set] ?? {};
      await client.query({
        text: `insert into ${quote(changeTable)} (${columns}) select ${literal(set)}, ${quote(key[0] ?? '')}, 'c' from ${quote(table)} order by "#id"`,
      });
    }
  };
  await client.query({ text: takeMark });
  await logAll(others.before);
  await copyLines(client, `copy ${quote(changeTable)} (${columns}) from stdin`, listings.lines());
  await logAll(others.after);
  const { rows } = (await client.query({ text: `select count(*)::int as count from ${quote(changeTable)}` })) as {
    rows: [{ count: number }];
  };
  return rows[0].count;
}
