import type { EntityType } from './entity-type.js';

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
