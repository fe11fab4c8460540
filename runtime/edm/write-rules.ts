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

/** A value the service gives: the database's clock, the number of the record's version, or a constant in the database's own text form. */
export type GeneratedValue =
  { readonly kind: 'now' } | { readonly kind: 'version' } | { readonly kind: 'constant'; readonly value: string };

/** How the service makes the key; absent where the client sends it. */
export interface KeyGeneration {
  readonly strategy: 'sequence' | 'uuid';
  readonly prefix: string;
  /** The generated part alone addresses the record too, now and after the key has changed. */
  readonly acceptGeneratedPart: boolean;
}
