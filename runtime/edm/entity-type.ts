import type { ChangeEvents, ChangeTracking } from './change-log.js';
import type { FieldTable, KeyField } from './field.js';
import type { JoinTable, NavigationTable } from './navigation.js';
import type { KeyGeneration, Permissions, RecordConditions, TransitionTable, WriteRules } from './rules.js';
import type { StreamTable } from './stream.js';

/**
 * An entity type of the model; generated, one module each. A type in several entity sources, such as a set and a
 * singleton, has one for each, with its own table.
 */
export interface EntityType {
  readonly name: string;
  /** The suffix of the name in the container in further entity sources: `@Me` in `Person@Me`. */
  readonly place?: string;
  /** Namespace-qualified, as in `$metadata`. */
  readonly qualifiedName: string;
  /** Qualified names of the types that it derives from, the nearest first. */
  readonly baseTypes?: readonly string[];
  /** Qualified names of the types that derive from it, however far. */
  readonly derivedTypes?: readonly string[];
  /** No record is of this very type. */
  readonly abstract?: true;
  /** Records of several types share the table; `#type` has the qualified name of each one's own. */
  readonly discriminated?: true;
  /** Qualified name of the set's type, where that is a base type: addresses in the set need a cast. */
  readonly setType?: string;
  /** The set that exposes it; absent when it can only be reached by navigation. */
  readonly entitySet?: string;
  /** The set of derived types, where the type itself is in none: references to entities of any of them use it. */
  readonly familySet?: string;
  /** The singleton that it is; there is one record at most. */
  readonly singleton?: string;
  /** Whether the singleton may be null: it does not exist before it is written. */
  readonly nullable?: true;
  /** Whether the entities are contained, so that their addresses begin with the parent's: `many` have keys below it, `one` has none. */
  readonly contained?: 'many' | 'one';
  /** Whether the entities are transient, in no set: they have no address, and are identified by position (`#place`). */
  readonly transient?: true;
  readonly table: string;
  readonly key: readonly string[];
  /** The properties of the key that are none of the record itself, by their names in the key. */
  readonly keyFields?: { readonly [name: string]: KeyField };
  readonly keyGeneration?: KeyGeneration;
  readonly fields: FieldTable;
  /** Those of them that no client knows of: they repeat the key of a related record, which is part of the key (`hiddenMark`). */
  readonly hidden?: readonly string[];
  readonly navigation: NavigationTable;
  /** Absent where records have none. */
  readonly streams?: StreamTable;
  /** Records may have properties that the model does not declare. */
  readonly open?: true;
  /** The navigation properties of entity types whose references to a deleted entity are set to null. */
  readonly detaches?: readonly { readonly type: string; readonly navigation: string }[];
  /** Rows that reference an entity's `#id` in the column `link`, and mirror columns of its row. */
  readonly mirroredIn?: readonly {
    readonly type: string;
    readonly link: string;
    readonly mirrors: { readonly [mirror: string]: string };
  }[];
  /** Deletions by Rules.DeletesTarget to which a deletion leads, and the cascades of foreign keys on the way to them. */
  readonly cascadesTo?: readonly Cascade[];
  /** Present where changes of the entities are logged. */
  readonly tracking?: ChangeTracking;
  /** Present where the entities are the logged changes of others; it has no table. */
  readonly events?: ChangeEvents;
  /** Present where the table, or the change log, is kept in partitions (Rules.StorageLayout). */
  readonly partitions?: Partitions;
  readonly rules: WriteRules;
  readonly transitions?: TransitionTable;
  readonly permissions: Permissions;
  /** Absent where every record may be changed and deleted. */
  readonly conditions?: RecordConditions;
  readonly limits: Limits;
  /** The properties that a `$filter` must use to read the collection. */
  readonly requiresFilter?: readonly string[];
  /** Set when records carry an ETag; `required` when If-Match must be sent (428 otherwise). */
  readonly etag?: { readonly required: boolean };
  readonly routes: readonly Route[];
}

/** A cascade of deletions to another entity type. */
export interface Cascade {
  readonly type: string;
  /** A column of the deleted row to one of the others. */
  readonly join: { readonly [column: string]: string };
  readonly through?: JoinTable;
  /** The service deletes the rows; otherwise the database does. */
  readonly deletes?: true;
}

/** Members of the Rules.Limits annotation, completed from the container and the defaults. */
export interface Limits {
  readonly maxTop: number;
  readonly maxTopWithExpand: number;
  readonly maxSkip: number;
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
  readonly maxPageSizeWithExpand: number;
  readonly maxExpandDepth: number;
  /** `$top` is the size of a page, and next links follow; otherwise it is the total. */
  readonly topIsPageSize?: true;
}

/** A type with properties: an entity type, or a complex type, which has neither key nor table. */
export type StructuredType = Pick<EntityType, 'name' | 'qualifiedName' | 'fields' | 'navigation' | 'open'>;

/** The type of an operation's entity parameter or result: an entity type, or a transient one. */
export interface RecordType extends StructuredType {
  readonly abstract?: true;
  /** Qualified names of all derived types. */
  readonly derivedTypes?: readonly string[];
}

/** A complex type with inherited members; its values are stored as JSON in a column. */
export interface ComplexType extends StructuredType {
  /** Values have a derived type, and name it. */
  readonly abstract?: true;
  /** Qualified names of all derived types. */
  readonly derived: readonly string[];
  /** Core.Computed: a value sent by a client is ignored. */
  readonly computed: readonly string[];
  /** Core.Immutable: accepted only where there is no value yet. */
  readonly immutable: readonly string[];
  /** Names of its media streams, which belong to the entity that has the value. */
  readonly streams?: readonly string[];
  /** Names of its navigation properties, whose targets depend on the entity that has the value. */
  readonly links?: readonly string[];
}

/** Complex types by qualified name. */
export type ComplexTypeTable = { readonly [qualifiedName: string]: ComplexType };

/** A method that an entity source accepts: `readCollection` and `createEntity` at its address, the others at an entity of it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly operation: OperationName;
  /** Whether a missing entity is created, since clients choose the keys. */
  readonly upsert?: true;
}

/** The operations of routes. */
export type OperationName = 'readCollection' | 'readEntity' | 'createEntity' | 'updateEntity' | 'replaceEntity' | 'deleteEntity';

/** The limits that apply unless the model says otherwise. */
export const defaultLimits: Limits = {
  maxTop: 10_000,
  maxTopWithExpand: 100,
  maxSkip: 100_000,
  defaultPageSize: 100,
  maxPageSize: 1_000,
  maxPageSizeWithExpand: 100,
  maxExpandDepth: 3,
};

/** Partitions of a table by ranges of `#id`. */
export interface Partitions {
  /** The numbers of each. */
  readonly rows: number;
  /** Days after its last row for which a partition is kept, and the column with the time of a row; absent for ever. */
  readonly keptDays?: number;
  readonly stamp?: string;
}
