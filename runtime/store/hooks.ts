import type { StoredRecord, EntityType } from '../edm/index.js';
import type { RowFilters } from '../plan/row-filter.js';
import type { Store } from './store.js';
import { createHooks } from '../errors/hooks.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import type { LockedRecord } from './stored-record.js';
import type { WriteTransaction } from './write-scope.js';

/** Writes that a feature provides. */
interface StoreHooks {
  readonly filteredStore: (store: Store, filters: RowFilters) => Store;
  /** Deletes the streams of removed complex values; returns the new values of their columns. */
  readonly removeStreams: (type: EntityType, locked: LockedRecord, changes: StoredRecord, scope: WriteTransaction) => Promise<StoredRecord>;
  /** Checks and stores an update of a locked entity with its related ones; returns the entity's id. */
  readonly updateRelated: (plan: WritePlan, locked: LockedRecord, scope: WriteTransaction) => Promise<string>;
}

/** The hooks of `store`. */
export const storeHooks = createHooks<StoreHooks>();
