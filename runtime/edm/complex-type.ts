import type { EntityType } from './entity-type.js';

/** What has properties by name: entity types, and complex types, which have no key and no table. */
export type StructuredType = Pick<EntityType, 'name' | 'qualifiedName' | 'fields' | 'navigation' | 'open'>;

/** What a record is of that an operation is called with or answers: an entity type, or one whose records are in no table. */
export interface RecordType extends StructuredType {
  readonly abstract?: true;
  /** Qualified names of every type that derives from it, however far. */
  readonly derivedTypes?: readonly string[];
}

/** A complex type with all that it inherits; its values lie in the JSON of a column. */
export interface ComplexType extends StructuredType {
  /** Values are of a derived type and say which. */
  readonly abstract?: true;
  /** Qualified names of every type that derives from it, however far. */
  readonly derived: readonly string[];
  /** Core.Computed: a value sent by a client is ignored. */
  readonly computed: readonly string[];
  /** Core.Immutable: accepted only where there is no value yet. */
  readonly immutable: readonly string[];
  /** Names of its media streams, which are streams of the record that has the value. */
  readonly streams?: readonly string[];
  /** Names of its navigation properties, of which the record that has the value says where they lead. */
  readonly links?: readonly string[];
}

/** Complex types by qualified name. */
export type ComplexTypeTable = { readonly [qualifiedName: string]: ComplexType };
