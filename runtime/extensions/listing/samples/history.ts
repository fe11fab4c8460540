import { dollars, type Row } from './columns.js';
import { type Life, momentText, type Move } from './life.js';
import type { Prices } from './dates.js';

/** One change of a listing, with the service's stamps. */
export interface Change {
  readonly second: number;
  /** The kind of change, as a value of MajorChangeType. */
  readonly major: string;
  readonly fields: readonly { readonly name: string; readonly previous: string | null; readonly value: string }[];
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

/** The history of a listing: one row per changed field. */
export function historyRows(changes: readonly Change[], listingKey: string, member: string): readonly Row<'HistoryTransactional'>[] {
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
