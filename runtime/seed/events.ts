import type { Row } from './columns.js';
import type { Listing } from './listing.js';

const start = Date.UTC(2023, 0, 1) / 1000;
// 27 bits of seconds, 25 of the listing's number and one more are what a double holds exactly.
const numbers = 2 ** 25;

/** Collects when listings changed, in eight bytes a change, because events are numbered in the order of time over all listings. */
interface EventLog {
  readonly add: (listing: Listing) => void;
  readonly rows: () => Iterable<Omit<Row<'EntityEvent'>, 'EntityEventSequence'>>;
}

/** An empty log. A listing's first event carries the key of the draft, as it did when it happened. */
export function eventLog(draftPrefix: string): EventLog {
  const events: number[] = [];
  const drafts = new Set<number>();
  return {
    add: ({ number, property, events: seconds }) => {
      if (property.StandardStatus === 'Incomplete') drafts.add(number);
      // The time stands before the number, so that sorting sorts by time; the last bit marks the entry.
      seconds.forEach((second, index) => events.push(((second - start) * numbers + number) * 2 + (index === 0 ? 0 : 1)));
    },
    rows: () => eventRows(Float64Array.from(events).sort(), drafts, draftPrefix),
  };
}

function* eventRows(
  events: Float64Array,
  drafts: ReadonlySet<number>,
  draftPrefix: string,
): Generator<Omit<Row<'EntityEvent'>, 'EntityEventSequence'>> {
  for (const event of events) {
    const number = Math.floor(event / 2) % numbers;
    const key = event % 2 === 0 || drafts.has(number) ? `${draftPrefix}${number}` : String(number);
    yield { ResourceName: 'Property', ResourceRecordKey: key, ResourceRecordUrl: null };
  }
}
