import type { EntityType, Navigation, StoredRecord } from '../../edm/index.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import type { Caller } from '../caller.js';
import type { RecordTarget } from '../path/path-target.js';
import type { KeyCondition } from '../typed-expr.js';
import type { ComplexContext, NewItem } from '../value/plan-complex.js';
import type { JsonFormat } from '../value/plan-value.js';

/** The context of a body. */
export interface WriteContext extends Pick<ComplexContext, 'container' | 'format' | 'strict' | 'advice' | 'newItem'> {
  readonly caller: Caller;
  /** Properties of a new record that its place gives, such as the key of the record above it. */
  readonly given?: ReadonlySet<string> | undefined;
  /** The key of a new record, where its address has it. */
  readonly key?: StoredRecord | undefined;
}

/** The context of a body's member. */
export type MemberContext = WriteContext & Pick<ComplexContext, 'partial' | 'whole' | 'unseen' | 'newItem'>;

/** A value that must be the key of an existing record. */
export interface Reference {
  readonly property: string;
  readonly target: EntityType;
  readonly value: string;
}

/** A planned body: the values to set, the references to check, and all faults so far. */
export interface WritePlan {
  readonly type: EntityType;
  /** By property, in the database's text form. */
  readonly values: StoredRecord;
  /** Changes of complex values, to be merged with the stored ones. */
  readonly patches: ReadonlyMap<string, JsonObject>;
  /** The path of a value within a complex one that takes the place of the stored value. */
  readonly whole?: string | undefined;
  /** The body is that of a record, whose key stays whatever the body has of it, within complex values too. */
  readonly keepsKey?: true | undefined;
  /** The item that the body adds to a collection. */
  readonly newItem?: NewItem | undefined;
  /** Changes of dynamic properties; null removes one, and an object is merged with the stored one. */
  readonly dynamic?: ReadonlyMap<string, Json> | undefined;
  /** The number format of the body, for values whose type depends on the stored entity. */
  readonly format?: JsonFormat | undefined;
  readonly references: readonly Reference[];
  readonly faults: readonly ErrorDetail[];
  /** The name that the request gives the record, which the answer gives it too (Core.ContentID): the whole member, as sent. */
  readonly contentId?: string | undefined;
  /** Existing records that this one is related to. */
  readonly links?: readonly Link[] | undefined;
  /** New records that come with this one. */
  readonly children?: readonly ChildPlan[] | undefined;
  /** Changes of related entities of an existing entity. */
  readonly related?: readonly RelatedPlan[] | undefined;
}

/** A navigation property by its name, and the type that it leads to. */
export interface Relation {
  readonly name: string;
  readonly navigation: Navigation;
  readonly target: EntityType;
}

/** A navigation property to be set to an existing entity. */
export interface Link extends Relation {
  /** Undefined to remove the reference. */
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

/** The related entities in the update of an existing entity (deep update, protocol 11.4.3.1). */
export interface RelatedPlan extends Relation {
  /** Whether the list is complete or contains changes (`Rooms@delta`). */
  readonly extent: 'whole' | 'delta';
  readonly members: readonly MemberPlan[];
  /** The faults of an operation on a related entity; throws if the caller lacks permission. */
  readonly refuse: (what: Refusal, at: string) => readonly ErrorDetail[];
}

/** Operations on related entities that can be rejected: relating, removing the relation, and writing. */
export type Refusal = 'join' | 'leave' | 'create' | 'update' | 'delete';

/** One record of such a body. Whether it is new shows when it is looked for, so that it is planned then. */
export interface MemberPlan {
  /** Its place in the body: `Rooms[1]`. */
  readonly at: string;
  /** Where it is, by its id or its key; undefined where the body has neither. */
  readonly place: RecordTarget | undefined;
  /** The key properties in the body, where the owner determines the others. */
  readonly within?: readonly KeyCondition[];
  /** As sent, for messages. */
  readonly id: string;
  /** It is to leave, or to be deleted as well (JSON format 15.3). */
  readonly removed?: 'changed' | 'deleted';
  /** Only an id: the record is related, and nothing else of it changes (JSON format 14). */
  readonly isReference?: true;
  readonly planUpdate: (actual: EntityType) => WritePlan;
  readonly planCreate: () => WritePlan;
  /** Rejects an entity whose ETag differs from the body's, or that does not exist. */
  readonly requireCurrent: (version: string | undefined) => void;
}
