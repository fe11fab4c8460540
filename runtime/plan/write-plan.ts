import type { EntityType, StoredRecord } from '../edm/index.js';
import type { JsonObject } from '../json/json.js';
import type { ErrorDetail } from '../errors/odata-error.js';

/** A value that must be the key of an existing record. */
export interface Reference {
  readonly property: string;
  readonly target: EntityType;
  readonly value: string;
}

/** A body of a create or an update: what it sets, what must be looked up, and every fault found so far. */
export interface WritePlan {
  readonly type: EntityType;
  /** By property, in the database's text form. */
  readonly values: StoredRecord;
  /** Changes of complex values, which are merged with what is stored. */
  readonly patches: ReadonlyMap<string, JsonObject>;
  readonly references: readonly Reference[];
  readonly faults: readonly ErrorDetail[];
}
