import type { Row } from './columns.js';
import type { Listing } from './listing.js';

const start = Date.UTC(2023, 0, 1) / 1000;
// 27 bits of seconds, 25 of the listing's number and one more fit exactly into a double.
const numbers = 2 ** 25;

/**
 * Collects the times of changes in eight bytes each, because events are numbered in order of time over all listings.
 */
interface EventLog {
  readonly add: (listing: Listing) => void;
  readonly rows: () => Iterable<Omit<Row<'EntityEvent'>, 'EntityEventSequence'>>;
}

/** An empty log. A listing's first event has the draft key, as it did at the time. */
export function eventLog(draftPrefix: string): EventLog {
  const events: number[] = [];
  const drafts = new Set<number>();
  return {
    add: ({ number, property, events: seconds }) => {
      if (property.StandardStatus === 'Incomplete') drafts.add(number);
      // The time is in the high bits, so that sorting sorts by time; the last bit marks the creation.
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
