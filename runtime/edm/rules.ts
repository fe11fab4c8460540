/** Rules for the properties of a body. Every list has property names. */
export interface WriteRules<Name extends string = string> {
  readonly requiredOnCreate: readonly Name[];
  readonly requiredOnUpdate: readonly Name[];
  /** Core.Computed: a value sent by a client is ignored. */
  readonly computed: readonly Name[];
  /** NonInsertableProperties: on create accepted only if equal to the default. */
  readonly initialOnly: readonly Name[];
  /** Core.Immutable and NonUpdatableProperties: accepted on create only. */
  readonly immutable: readonly Name[];
  /** Properties that must be the key of an entity of the given type, from a single-valued ReferentialConstraint. */
  readonly references: { readonly [property: string]: string };
  readonly onInsert: { readonly [property: string]: GeneratedValue };
  readonly onUpdate: { readonly [property: string]: GeneratedValue };
}

/** A generated value: the time, the entity's version number, or a constant in the database's text form. */
export type GeneratedValue =
  | { readonly kind: 'now' }
  | { readonly kind: 'version' }
  | { readonly kind: 'constant'; readonly value: string };

/** The generation of a key; absent where the client sends it. */
export interface KeyGeneration {
  readonly strategy: 'sequence' | 'uuid';
  readonly prefix: string;
  /** The generated part alone addresses the entity as well, before and after a change of the key. */
  readonly acceptGeneratedPart: boolean;
  /** The generated one of several key properties. */
  readonly property?: string;
}

/** A transition of a state property, with its requirements and effects. */
export interface Transition<State extends string = string> {
  readonly to: State;
  /** Properties that require a value, in the body or the stored entity. */
  readonly requires?: readonly string[];
  readonly sets?: { readonly [property: string]: string };
  readonly message?: string;
}

/** The transitions of a state property, by their initial state. */
export interface TransitionTable<State extends string = string> {
  readonly property: string;
  readonly initial: State;
  readonly moves: { readonly [From in State]: readonly Transition<State>[] };
}

/** A scope that permits an operation, with the properties that it hides. */
export interface Permission {
  readonly scope: string;
  readonly except: readonly string[];
  /** The row filter of the scope as a `$filter` expression; absent where it permits all entities. */
  readonly rows?: string;
}

/** Conditions on the stored entity for changes and deletions by anyone, as `$filter` expressions. */
export interface RecordConditions {
  readonly update?: string;
  readonly delete?: string;
}

/** Permissions by operation; `undefined` means that any token suffices. */
export interface Permissions {
  readonly read: readonly Permission[] | undefined;
  /** Permissions to read by key; by default those of the collection. */
  readonly readByKey?: readonly Permission[];
  readonly insert: readonly Permission[] | undefined;
  readonly update: readonly Permission[] | undefined;
  readonly delete: readonly Permission[] | undefined;
}
