import './untracked.js';
import type { ChangeContext, JournalEntry, StoredRecord } from '../../runtime/edm/extension.js';
import { propertyExtension } from '../../runtime/extensions/listing/property.js';

// Loaded before the product, it writes the events of listings to a table, as the service did before it had a change log.
const record = propertyExtension.record;
Object.assign(propertyExtension, {
  record: (change: ChangeContext & { readonly after: StoredRecord | undefined }) => [...eventsOf(change), ...(record?.(change) ?? [])],
});

// A changed key gets two events.
function eventsOf({ before, after }: ChangeContext & { readonly after: StoredRecord | undefined }): readonly JournalEntry[] {
  const keys = new Set([before?.get('ListingKey'), after?.get('ListingKey')]);
  return [...keys].flatMap((key) => (typeof key === 'string' ? [eventOf(key)] : []));
}

function eventOf(key: string): JournalEntry {
  const values: StoredRecord = new Map([
    ['ResourceName', 'Property'],
    ['ResourceRecordKey', key],
  ]);
  return { entityType: 'EntityEvent', values };
}
