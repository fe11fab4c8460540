import { changeColumns, changeTable, type EntityContainer } from '../../../edm/index.js';
import { takeMark } from '../../../schema/change-mark.js';
import { literal, quote } from '../../../schema/identifier.js';
import { type CopyClient, copyLines } from '../../../database/copy.js';
import type { Listing } from './listing.js';

const start = Date.UTC(2023, 0, 1) / 1000;
// 27 bits of seconds, 25 of the listing's number and one more fit exactly into a double.
const numbers = 2 ** 25;

/** Collects the times of changes of listings in eight bytes each, because changes are numbered in order of time over all listings. */
interface ListingChanges {
  readonly add: (listing: Listing) => void;
  readonly lines: () => Iterable<string>;
}

/** An empty list. A listing's first change has the draft key, as it did at the time. */
export function listingChanges(draftPrefix: string): ListingChanges {
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
export async function logSamples(client: CopyClient, { entityTypes }: EntityContainer, listings: ListingChanges): Promise<number> {
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
