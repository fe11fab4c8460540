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
  { readonly kind: 'now' } | { readonly kind: 'version' } | { readonly kind: 'constant'; readonly value: string };

/** The generation of a key; absent where the client sends it. */
export interface KeyGeneration {
  readonly strategy: 'sequence' | 'uuid';
  readonly prefix: string;
  /** The generated part alone addresses the entity as well, before and after a change of the key. */
  readonly acceptGeneratedPart: boolean;
}
