import type { EntityType, Navigation, StoredRecord } from '../../edm/index.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import type { RecordTarget } from '../path-target.js';
import type { KeyCondition } from '../read-plan.js';
import type { NewItem } from '../value/new-item.js';
import type { JsonFormat } from '../value/plan-value.js';

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
  /** The path of a value within a complex one that takes the place of the stored value. */
  readonly whole?: string | undefined;
  /** The item that the body adds to a collection, beside the stored ones. */
  readonly newItem?: NewItem | undefined;
  /** What is to become of the properties that an open type does not declare; null takes one away, and an object is merged with the stored one. */
  readonly dynamic?: ReadonlyMap<string, Json> | undefined;
  /** How the body says numbers, for what only the stored record tells the type of. */
  readonly format?: JsonFormat | undefined;
  readonly references: readonly Reference[];
  readonly faults: readonly ErrorDetail[];
  /** The name that the request gives the record, which the answer gives it too (Core.ContentID): the whole member, as sent. */
  readonly contentId?: string | undefined;
  /** Existing records that this one is related to. */
  readonly links?: readonly Link[] | undefined;
  /** New records that come with this one. */
  readonly children?: readonly ChildPlan[] | undefined;
  /** What becomes of the records behind navigation properties of a record that is there already. */
  readonly related?: readonly RelatedPlan[] | undefined;
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

/** What a body says of the records behind a navigation property of a record that is there (deep update, protocol 11.4.3.1). */
export interface RelatedPlan {
  readonly name: string;
  readonly navigation: Navigation;
  readonly target: EntityType;
  /** All that are to be behind it, or only what is to change among them (`Rooms@delta`). */
  readonly extent: 'whole' | 'delta';
  readonly members: readonly MemberPlan[];
  /** The faults of what is to be done with a record there; throws where the caller may not. */
  readonly refuse: (what: Refusal, at: string) => readonly ErrorDetail[];
}

/** What can be refused of related records: to belong here, not to do so any more, and the writes themselves. */
export type Refusal = 'join' | 'leave' | 'create' | 'update' | 'delete';

/** One record of such a body. Whether it is new shows when it is looked for, so that it is planned then. */
export interface MemberPlan {
  /** Its place in the body: `Rooms[1]`. */
  readonly at: string;
  /** Where it is, by its id or its key; undefined where the body has neither. */
  readonly place: RecordTarget | undefined;
  /** What the body has of a key, where the owner gives the rest: it says a record among the owner's. */
  readonly within?: readonly KeyCondition[];
  /** As sent, for messages. */
  readonly id: string;
  /** It is to leave, or to be deleted as well (JSON format 15.3). */
  readonly removed?: 'changed' | 'deleted';
  /** Only an id: the record is related, and nothing else of it changes (JSON format 14). */
  readonly isReference?: true;
  readonly planUpdate: (actual: EntityType) => WritePlan;
  readonly planCreate: () => WritePlan;
  /** Refuses a record that is not as the ETag in the body says, or is not there. */
  readonly requireCurrent: (version: string | undefined) => void;
}
