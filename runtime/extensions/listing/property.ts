import type { Property } from '../../../generated/types.js';
import { defineExtension } from '../../edm/index.js';
import type { Assigned, JournalEntry, TypedChange, TypedRecord, TypedResult } from '../../edm/extension.js';
import { compareDecimal } from '../../json/canonical-number.js';

type Change = TypedChange<Property>;
type Values = Assigned<Property>;

/** The behaviour of a listing beyond storing its fields (specification, section 3; decisions, section 2). */
export const propertyExtension = defineExtension<Property>({
  // Section 4.1 of the specification gives this form.
  createdContext: '$metadata#Property',
  // Several spreads of varying members take Node 20 ten times as long.
  assign: (change) => Object.assign(publish(change), sell(change), stampStatus(change), stampPrice(change)),
  record: historyOf,
});

// Leaving the draft state publishes: from then on the key is the number alone, and the draft's key still finds the listing.
function publish({ before, changes, id }: Change): Values {
  const leaves = before?.get('StandardStatus') === 'Incomplete' && changes.get('StandardStatus') !== undefined;
  return leaves ? { ListingKey: id } : {};
}

function sell({ before, changes, now }: Change): Values {
  const price = changes.get('SoldPrice');
  // A price corrected after the sale is the closing price, too.
  if (before?.get('StandardStatus') === 'Sold') return price === undefined ? {} : { ClosePrice: price };
  if (changes.get('StandardStatus') !== 'Sold') return {};
  const date = changes.get('CloseDate') ?? before?.get('CloseDate') ?? now.slice(0, 10);
  return { ClosePrice: price ?? before?.get('SoldPrice') ?? null, CloseDate: date };
}

function stampStatus({ before, changes, now }: Change): Values {
  const status = changes.get('StandardStatus');
  if (before === undefined || status === undefined) return {};
  return {
    StatusChangeTimestamp: now,
    MajorChangeTimestamp: now,
    MajorChangeType: before.get('StandardStatus') === 'Incomplete' ? 'New Listing' : status,
  };
}

function stampPrice({ before, changes, now }: Change): Values {
  const price = changes.get('ListPrice') ?? null;
  if (price === null) return {};
  const previous = before?.get('ListPrice') ?? null;
  if (previous === null) return (before?.get('OriginalListPrice') ?? null) === null ? { OriginalListPrice: price } : {};
  const type = compareDecimal(price, previous) === 1 ? 'Price Increase' : 'Price Decrease';
  // A status change in the same request takes precedence.
  const major = changes.get('StandardStatus') === undefined ? { MajorChangeTimestamp: now, MajorChangeType: type } : {};
  return { PreviousListPrice: previous, PriceChangeTimestamp: now, ...major };
}

/** The fields whose changes are recorded in the history. */
const followed = ['StandardStatus', 'ListPrice', 'SoldPrice', 'ContractStatus', 'MlsStatus'] as const satisfies readonly (keyof Property)[];

function historyOf({ before, after, changes }: TypedResult<Property>): readonly JournalEntry[] {
  if (before === undefined || after === undefined) return [];
  return followed.filter((name) => changes.has(name)).map((name) => history(name, before, after, changes));
}

function history(
  name: (typeof followed)[number],
  before: TypedRecord<Property>,
  after: TypedRecord<Property>,
  changes: TypedRecord<Property>,
): JournalEntry {
  return {
    entityType: 'HistoryTransactional',
    values: new Map([
      ['ResourceName', 'Property'],
      ['ResourceRecordKey', after.get('ListingKey') ?? null],
      ['FieldName', name],
      ['PreviousValue', before.get(name) ?? null],
      ['NewValue', after.get(name) ?? null],
      ['ChangeType', name === 'ListPrice' || name === 'SoldPrice' ? 'Price Change' : 'Status Change'],
      ['ChangedByMemberKey', changes.get('ChangedByMemberKey') ?? after.get('ChangedByMemberKey') ?? null],
    ]),
  };
}
