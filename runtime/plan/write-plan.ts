import type { EntityType, Navigation, StoredRecord } from '../edm/index.js';
import type { Json, JsonObject } from '../json/json.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import type { RecordTarget } from './plan-path.js';

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
  /** What is to become of the properties that an open type does not declare; null takes one away. */
  readonly dynamic?: ReadonlyMap<string, Json>;
  readonly references: readonly Reference[];
  readonly faults: readonly ErrorDetail[];
  /** Existing records that this one is related to. */
  readonly links?: readonly Link[];
  /** New records that come with this one. */
  readonly children?: readonly ChildPlan[];
}

/** A navigation property that is to lead to an existing record. */
export interface Link {
  readonly name: string;
  readonly navigation: Navigation;
  readonly target: EntityType;
  /** Undefined where it is to lead nowhere. */
  readonly place: RecordTarget | undefined;
  /** As sent, for messages, and where it stood in the body. */
  readonly id: string;
  readonly at: string;
}

/** A new record within the body of another. */
export interface ChildPlan {
  readonly name: string;
  readonly navigation: Navigation;
  readonly plan: WritePlan;
  /** Its place in the body: `Rooms[1]`. */
  readonly at: string;
}
