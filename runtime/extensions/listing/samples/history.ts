import { dollars, type Row } from './columns.js';
import { type Life, momentText, type Move } from './life.js';
import type { Listing } from './listing.js';
import type { Prices } from './dates.js';

/** One change of a listing, with the service's stamps. */
export interface Change {
  readonly second: number;
  /** The kind of change, as a value of MajorChangeType. */
  readonly major: string;
  readonly fields: readonly FieldChange[];
}

interface FieldChange {
  readonly name: string;
  readonly previous: string | null;
  readonly value: string;
}

/** The changes of a listing in order of time, from which stamps and history are derived. */
export function changesOf(life: Life, prices: Prices, state: { readonly [property: string]: string }): readonly Change[] {
  const current = new Map(Object.entries(state));
  const moves = life.moves.map((move) => moveChange(move, prices, current));
  const priced = life.priceChanges.map((second, index) => priceChange(second, prices.asked[index] ?? 0, prices.asked[index + 1] ?? 0));
  return [...moves, ...priced].sort((one, other) => one.second - other.second);
}

/** The stamps of a listing, from its changes. */
export function stampsOf(changes: readonly Change[]) {
  const status = changes.findLast(({ fields }) => fields[0]?.name === 'StandardStatus');
  const price = changes.findLast(({ fields }) => fields[0]?.name === 'ListPrice');
  const major = changes[changes.length - 1];
  return {
    StatusChangeTimestamp: status ? momentText(status.second) : null,
    PriceChangeTimestamp: price ? momentText(price.second) : null,
    MajorChangeTimestamp: major ? momentText(major.second) : null,
    MajorChangeType: major?.major ?? null,
  };
}

/** The history of a listing: one row per changed field. The key is assigned with the row's number. */
export function historyRows(
  changes: readonly Change[],
  listingKey: string,
  member: string,
): readonly Omit<Row<'HistoryTransactional'>, 'HistoryTransactionalKey'>[] {
  return changes.flatMap(({ second, fields }) =>
    fields.map(({ name, previous, value }) => ({
      ResourceName: 'Property',
      ResourceRecordKey: listingKey,
      FieldName: name,
      FieldKey: null,
      PreviousValue: previous,
      NewValue: value,
      ChangeType: name === 'ListPrice' || name === 'SoldPrice' ? 'Price Change' : 'Status Change',
      ChangedByMemberKey: member,
      ModificationTimestamp: momentText(second),
    })),
  );
}

function moveChange({ second, from, to, sets }: Move, { sold }: Prices, current: Map<string, string>): Change {
  const set = Object.entries(sets).filter(([name, value]) => current.get(name) !== value);
  const fields = [
    { name: 'StandardStatus', previous: from, value: to },
    ...set.map(([name, value]) => ({ name, previous: current.get(name) ?? null, value })),
    ...(to === 'Sold' && sold !== null ? [{ name: 'SoldPrice', previous: null, value: dollars(sold) }] : []),
  ];
  for (const [name, value] of set) current.set(name, value);
  return { second, major: from === 'Incomplete' ? 'New Listing' : to, fields };
}

function priceChange(second: number, previous: number, value: number): Change {
  const fields = [{ name: 'ListPrice', previous: dollars(previous), value: dollars(value) }];
  return { second, major: value > previous ? 'Price Increase' : 'Price Decrease', fields };
}

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
