import type { Property } from '../../../generated/types.js';
import { defineExtension } from '../../edm/index.js';
import { type ChangeContext, type JournalEntry, type StoredRecord, type StoredValue, type TypedRecord } from '../../edm/extension.js';
import { compareDecimal } from '../../json/canonical-number.js';

type Assigned = Partial<Record<keyof Property & string, string | null>>;
type Change = Omit<ChangeContext, 'before' | 'changes'> & {
  readonly before: TypedRecord<Property> | undefined;
  readonly changes: TypedRecord<Property>;
};

/** A completed change; `after` is absent on delete. */
type Recorded = ChangeContext & { readonly after: StoredRecord | undefined };

/** The behaviour of a listing beyond storing its fields (specification, section 3; decisions, section 2). */
export const propertyExtension = defineExtension<Property>({
  // Section 4.1 of the specification gives this form.
  createdContext: '$metadata#Property',
  // Several spreads of varying members take Node 20 ten times as long.
  assign: (change) => Object.assign(publish(change), sell(change), stampStatus(change), stampPrice(change)),
  record: historyOf,
});

// Leaving the draft state publishes: from then on the key is the number alone, and the draft's key still finds the listing.
function publish({ before, changes, id }: Change): Assigned {
  const leaves = before?.get('StandardStatus') === 'Incomplete' && changes.get('StandardStatus') !== undefined;
  return leaves ? { ListingKey: id } : {};
}

function sell({ before, changes, now }: Change): Assigned {
  const price = changes.get('SoldPrice');
  // A price corrected after the sale is the closing price, too.
  if (before?.get('StandardStatus') === 'Sold') return price === undefined ? {} : { ClosePrice: text(price) };
  if (changes.get('StandardStatus') !== 'Sold') return {};
  const date = text(changes.get('CloseDate')) ?? text(before?.get('CloseDate')) ?? now.slice(0, 10);
  return { ClosePrice: text(price) ?? text(before?.get('SoldPrice')), CloseDate: date };
}

function stampStatus({ before, changes, now }: Change): Assigned {
  const status = text(changes.get('StandardStatus'));
  if (before === undefined || status === null) return {};
  return {
    StatusChangeTimestamp: now,
    MajorChangeTimestamp: now,
    MajorChangeType: before.get('StandardStatus') === 'Incomplete' ? 'New Listing' : status,
  };
}

function stampPrice({ before, changes, now }: Change): Assigned {
  const price = text(changes.get('ListPrice'));
  if (price === null) return {};
  const previous = text(before?.get('ListPrice'));
  if (previous === null) return text(before?.get('OriginalListPrice')) === null ? { OriginalListPrice: price } : {};
  const type = compareDecimal(price, previous) === 1 ? 'Price Increase' : 'Price Decrease';
  // A status change in the same request takes precedence.
  const major = changes.get('StandardStatus') === undefined ? { MajorChangeTimestamp: now, MajorChangeType: type } : {};
  return { PreviousListPrice: previous, PriceChangeTimestamp: now, ...major };
}

function text(value: StoredValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** The fields whose changes are recorded in the history. */
const followed = ['StandardStatus', 'ListPrice', 'SoldPrice', 'ContractStatus', 'MlsStatus'] as const satisfies readonly (keyof Property)[];

function historyOf({ before, after, changes }: Recorded): readonly JournalEntry[] {
  if (before === undefined || after === undefined) return [];
  return followed.filter((name) => changes.has(name)).map((name) => history(name, before, after, changes));
}

function history(name: (typeof followed)[number], before: StoredRecord, after: StoredRecord, changes: StoredRecord): JournalEntry {
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
