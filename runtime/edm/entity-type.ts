import type { ComplexTypeTable } from './complex-type.js';
import type { OperationImport, OperationTable } from './operation.js';
import type { PrimitiveTypeName } from './primitive.js';

/** An enumeration: the names that its values have. The values are whole numbers of the underlying type. */
export interface EnumType {
  readonly qualifiedName: string;
  readonly underlyingType: PrimitiveTypeName;
  /** A value may have several members; each is a set of bits. */
  readonly flags?: true;
  /** Values as decimal text, since they may have 64 bits. */
  readonly members: readonly (readonly [name: string, value: string])[];
}

/** One structural property of the model: a row of a generated field table. */
export interface Field {
  /** Of an enumeration its underlying type, of a type definition the primitive type behind it. */
  readonly type: PrimitiveTypeName;
  readonly enumeration?: EnumType;
  /** The type definition's name, where the model uses one. */
  readonly definition?: string;
  /** Of the type Edm.ComplexType: the qualified name of its type. */
  readonly complex?: string;
  /** The column, where it is not the property's own name (names over 63 bytes). */
  readonly column?: string;
  /** A row has no room for it: the column is the JSON of several properties, in the database's text form by name. */
  readonly more?: true;
  readonly nullable?: true;
  readonly collection?: true;
  /** In characters (code points). */
  readonly maxLength?: number;
  /** Digits of a decimal; digits after the second's point of a temporal type. */
  readonly precision?: number;
  /** Digits after the point; absent means any number of them. */
  readonly scale?: number;
  readonly srid?: number;
  /** Of the raw value, from Core.MediaType; else text, and bytes of a binary value. */
  readonly mediaType?: string;
  /** Closed list of values, from Validation.AllowedValues; any other value is error 1105. */
  readonly allowedValues?: readonly string[];
  /** Name of the open or closed lookup, from RESO.OData.Metadata.LookupName. */
  readonly lookup?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  /** An ECMAScript regular expression, from Validation.Pattern. */
  readonly pattern?: string;
  /** As text in the database's own form, from DefaultValue. */
  readonly default?: string;
  readonly filterable?: false;
  readonly sortable?: false;
  /** `$search` looks into it, from Rules.Searchable. */
  readonly searchable?: true;
}

/** Structural properties by name, in the order of the model. A name that is not here cannot be used. */
export type FieldTable = { readonly [name: string]: Field };

/** A property of the key that lies within a complex value, and has another name in the key. */
export interface KeyField extends Field {
  /** From the record: `Info/ID`. */
  readonly path: string;
}

/** One navigation property: where it leads and by which columns. */
export interface Navigation {
  /** Name of the target entity type in the container. */
  readonly target: string;
  readonly collection?: true;
  /** Own column to the target's column. `#id` and `#<Navigation>` are internal columns. */
  readonly join: { readonly [ownColumn: string]: string };
  /** The target's columns that repeat a key of ours, and must follow when it changes. */
  readonly copies?: { readonly [ownColumn: string]: string };
  /** Own columns that repeat the target's key, where the two are joined by its number. */
  readonly repeats?: { readonly [ownColumn: string]: string };
  /** Of many records to many: the table that joins them, in place of columns of their own. */
  readonly through?: JoinTable;
  /** The properties within complex values that say where it leads; it is they that are written. */
  readonly follows?: readonly string[];
  /** A record leads somewhere at any time, by an internal column. */
  readonly required?: true;
  /** It leads nowhere once the other record has gone, and holds up nothing then. */
  readonly setsNull?: true;
  /** Records behind it cannot be without this one, and go when it goes: a required partner with OnDelete Cascade. */
  readonly owns?: true;
  readonly expandable?: false;
  /** The records belong to this one: they are addressed beneath it, and go with it. */
  readonly contains?: true;
  /** It leads back to the record that contains this one, which stays the same. */
  readonly container?: true;
  /** The property itself, where a request has given it another name. */
  readonly source?: string;
}

/** A table whose rows relate records of two tables; its columns hold their numbers. */
export interface JoinTable {
  readonly table: string;
  readonly own: string;
  readonly other: string;
  /** Whom a record is related to is related to it, by the same property. */
  readonly symmetric?: true;
}

/** Navigation properties by name. */
export type NavigationTable = { readonly [name: string]: Navigation };

/** A media stream that records may have: a stream property, or under the name `$value` that of a media entity. */
export interface Stream {
  /** What its columns begin with; see `streamColumns`. */
  readonly column: string;
  /** It may be taken away; the one of a media entity goes with its record only. */
  readonly nullable?: true;
  /** Core.Computed, Core.Immutable or NonUpdatableProperties: clients cannot change it. */
  readonly readOnly?: true;
  /** In bytes, from MaxLength. */
  readonly maxLength?: number;
  /** Core.AcceptableMediaTypes, in lower case: media types and ranges such as `image/*`; absent for any. */
  readonly mediaTypes?: readonly string[];
}

/** Media streams by name. */
export type StreamTable = { readonly [name: string]: Stream };

/** A value the service gives: the database's clock, the number of the record's version, or a constant in the database's own text form. */
export type GeneratedValue = { readonly kind: 'now' } | { readonly kind: 'version' } | { readonly kind: 'constant'; readonly value: string };

/** What a body may and must carry. Every list holds property names. */
export interface WriteRules<Name extends string = string> {
  readonly requiredOnCreate: readonly Name[];
  readonly requiredOnUpdate: readonly Name[];
  /** Core.Computed: a value sent by a client is ignored. */
  readonly computed: readonly Name[];
  /** NonInsertableProperties: on create accepted only when it equals the default. */
  readonly initialOnly: readonly Name[];
  /** Core.Immutable and NonUpdatableProperties: accepted on create only. */
  readonly immutable: readonly Name[];
  /** Property to the entity type whose key it must be; a to-one ReferentialConstraint. */
  readonly references: { readonly [property: string]: string };
  readonly onInsert: { readonly [property: string]: GeneratedValue };
  readonly onUpdate: { readonly [property: string]: GeneratedValue };
}

/** One move of a state property, and what it needs and sets. */
export interface Transition<State extends string = string> {
  readonly to: State;
  /** Properties that the body or the stored record must have a value for. */
  readonly requires?: readonly string[];
  readonly sets?: { readonly [property: string]: string };
  readonly message?: string;
}

/** The moves of a state property, keyed by the state they leave. */
export interface TransitionTable<State extends string = string> {
  readonly property: string;
  readonly initial: State;
  readonly moves: { readonly [From in State]: readonly Transition<State>[] };
}

/** How the service makes the key; absent where the client sends it. */
export interface KeyGeneration {
  readonly strategy: 'sequence' | 'uuid';
  readonly prefix: string;
  /** The generated part alone addresses the record too, now and after the key has changed. */
  readonly acceptGeneratedPart: boolean;
}

/** A scope that permits an operation, and the properties it does not show. */
export interface Permission {
  readonly scope: string;
  readonly except: readonly string[];
  /** What records must meet for the scope to permit it, in the words of `$filter`; absent where it permits it on all of them. */
  readonly rows?: string;
}

/** Permissions by operation; `undefined` means that every token will do. */
export interface Permissions {
  readonly read: readonly Permission[] | undefined;
  readonly insert: readonly Permission[] | undefined;
  readonly update: readonly Permission[] | undefined;
  readonly delete: readonly Permission[] | undefined;
}

/** Numbers of the Rules.Limits annotation, completed from the container and the defaults. */
export interface Limits {
  readonly maxTop: number;
  readonly maxTopWithExpand: number;
  readonly maxSkip: number;
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
  readonly maxPageSizeWithExpand: number;
  readonly maxExpandDepth: number;
}

/** The names of the operations that a route may lead to. */
export type OperationName = 'readCollection' | 'readEntity' | 'createEntity' | 'updateEntity' | 'replaceEntity' | 'deleteEntity';

/** One row of a route table; `path` is `/Set`, `/Set({key})` or `/Singleton`, of contained records `/Type/Property` with or without a key. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly operation: OperationName;
  /** What is not there yet is created, since clients choose the keys. */
  readonly upsert?: true;
}

/**
 * An entity type with all that the model says of it; generated, one module each. A type that is at several places, such
 * as a set and a singleton, is one at each of them, with a table of its own.
 */
export interface EntityType {
  readonly name: string;
  /** At a further place than the first: what follows the name in the container, as `@Me` in `Person@Me`. */
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
  /** Qualified name of the type that the set, or what stands for one, declares, where that is a base type: addresses in it need a cast. */
  readonly setType?: string;
  /** The set that exposes it; absent when it can only be reached by navigation. */
  readonly entitySet?: string;
  /** The singleton that it is; there is one record at most. */
  readonly singleton?: string;
  /** The singleton may be null: nothing is there before it is written. */
  readonly nullable?: true;
  /** The records belong to others, and their addresses begin with those: `many` have keys beneath their parent, `one` is told by the parent alone. */
  readonly contained?: 'many' | 'one';
  readonly table: string;
  readonly key: readonly string[];
  /** The properties of the key that are none of the record itself, by their names in the key. */
  readonly keyFields?: { readonly [name: string]: KeyField };
  readonly keyGeneration?: KeyGeneration;
  readonly fields: FieldTable;
  readonly navigation: NavigationTable;
  /** Absent where records have none. */
  readonly streams?: StreamTable;
  /** Records may have properties that the model does not declare. */
  readonly open?: true;
  readonly rules: WriteRules;
  readonly transitions?: TransitionTable;
  readonly permissions: Permissions;
  readonly limits: Limits;
  /** Set when records carry an ETag; `required` when If-Match must be sent (428 otherwise). */
  readonly etag?: { readonly required: boolean };
  readonly routes: readonly Route[];
}

/** Whether an operation may change something, and is called by POST. */
export type OperationKind = 'Action' | 'Function';

/** The whole generated model as the runtime sees it. */
export interface EntityContainer {
  readonly namespace: string;
  /** SHA-256 of the model, in hexadecimal; part of ETags of `$metadata` and of every `$skiptoken`. */
  readonly modelHash: string;
  /** From Core.SchemaVersion of the schema that the container is in; a request may name it by `$schemaversion`. */
  readonly schemaVersion?: string;
  readonly entityTypes: { readonly [name: string]: EntityType };
  /** Entity set name to entity type name, in the order of the model. */
  readonly entitySets: { readonly [name: string]: string };
  /** Singleton name to entity type name. */
  readonly singletons?: { readonly [name: string]: string };
  /** Complex types by qualified name. */
  readonly complexTypes?: ComplexTypeTable;
  /** Enumerations by qualified name. */
  readonly enumTypes?: { readonly [name: string]: EnumType };
  /** Type definitions by qualified name: the primitive types behind them. */
  readonly typeDefinitions?: { readonly [name: string]: PrimitiveTypeName };
  /** Actions and functions by qualified name. */
  readonly operations?: OperationTable;
  /** Those that are called at the service root, by the name that they have there. */
  readonly operationImports?: { readonly [name: string]: OperationImport };
  /** Namespaces whose bound operations may be called without it (Core.DefaultNamespace). */
  readonly defaultNamespaces?: readonly string[];
  /** Namespaces by their aliases. */
  readonly aliases?: { readonly [alias: string]: string };
  /** Functions that `$filter` offers; `undefined` means all that the runtime knows. */
  readonly filterFunctions?: readonly string[];
}
