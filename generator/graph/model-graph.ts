import type { PrimitiveTypeName, Stream } from '../../runtime/edm/index.js';
import type { EnumType, Field } from '../../runtime/edm/field.js';
import type { KeyGeneration, Permission, Permissions, RecordConditions, TransitionTable, WriteRules } from '../../runtime/edm/rules.js';
import type { ChangeEvents, ChangeTracking } from '../../runtime/edm/change-log.js';
import type { Limits, Route } from '../../runtime/edm/entity-type.js';
import type { Navigation } from '../../runtime/edm/navigation.js';
import type { OperationKind } from '../../runtime/edm/operation.js';
import type { Csdl } from '../csdl/csdl.js';
import type { PathColumn, Place, JoinTable, Relation, StorageLayout } from './storage.js';

/** The model with every reference resolved and every annotation lowered to a fact; emitters read nothing else. */
export interface ModelGraph {
  /** One node per table of the database, with the properties of all types in it. */
  readonly tables: readonly EntityNode[];
  readonly csdl: Csdl;
  readonly namespace: string;
  readonly description: string | undefined;
  readonly entities: readonly EntityNode[];
  readonly complexTypes: readonly ComplexNode[];
  readonly filterFunctions: readonly string[] | undefined;
  /** Resources of the root that the container switches off. */
  readonly unsupported: readonly string[];
  /** The schema version of the container's schema, if any. */
  readonly schemaVersion: string | undefined;
  readonly enumerations: readonly EnumNode[];
  /** Type definitions by qualified name. */
  readonly typeDefinitions: ReadonlyMap<string, PrimitiveTypeName>;
  /** Namespaces by their aliases. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Every overload of every action and function, in the order of the model. */
  readonly operations: readonly OperationNode[];
  /** Namespaces whose bound operations may be called without it. */
  readonly defaultNamespaces: readonly string[];
}

/** One overload of an action or a function. */
export interface OperationNode {
  readonly kind: OperationKind;
  readonly qualifiedName: string;
  readonly description: string | undefined;
  readonly binding: ParameterNode | undefined;
  readonly parameters: readonly ParameterNode[];
  readonly result: ValueNode | undefined;
  readonly composable: boolean;
  readonly permissions: readonly Permission[] | undefined;
  /** A type that it uses and that nobody can send or answer. */
  readonly unsupported: string | undefined;
  /** Names in generated code: of its handler, its file, and its types. */
  readonly handler: string;
  readonly file: string;
  readonly handlerType: string;
  readonly callType: string;
}

/** The type of a parameter or a result. */
export interface ValueNode {
  /** Qualified, without `Collection(...)`. */
  readonly type: string;
  readonly collection: boolean;
  readonly nullable: boolean;
  /** The value as a property; absent for an entity type. */
  readonly property: FieldNode | undefined;
}

/** One parameter. */
export interface ParameterNode extends ValueNode {
  readonly name: string;
  readonly description: string | undefined;
  readonly optional: boolean;
}

/** One enumeration and its names in generated code. */
export interface EnumNode {
  readonly description: string | undefined;
  readonly table: EnumType;
  readonly typeName: string;
  readonly constant: string;
}

/** A property of a key that lies within a complex value. */
export interface KeyColumn extends Omit<PathColumn, 'enumeration'> {
  readonly enumeration: EnumNode | undefined;
}

/** The names of a type in generated code. */
export interface TypeNames {
  readonly typeName: string;
  readonly derived: DerivedNames;
  readonly constant: string;
  readonly folder: string;
}

/** One entity type at one of its places: the set, the singleton or the navigation property that has its records. */
export interface EntityNode extends TypeNames {
  readonly at: number;
  /** The qualified name, followed by the entity source unless it is the first: `Ns.Person@Me`. */
  readonly id: string;
  /** The name in the container: `Person`, `Person@Me`. */
  readonly name: string;
  readonly qualifiedName: string;
  readonly description: string | undefined;
  /** The type's node in its first entity source, whose TypeScript types it shares; absent there. */
  readonly first: EntityNode | undefined;
  readonly place: Place | undefined;
  readonly entitySet: string | undefined;
  /** That of types that derive from it, where it has no place itself. */
  readonly familySet: string | undefined;
  /** The possible parents, for contained entities. */
  readonly parents: readonly ParentNode[];
  readonly hierarchy: HierarchyNode;
  readonly table: string;
  readonly key: readonly string[];
  /** By their names in the key, the properties of it that lie within complex values. */
  readonly keyColumns: ReadonlyMap<string, KeyColumn>;
  readonly open: boolean;
  readonly keyGeneration: KeyGeneration | undefined;
  /** Key properties that neither a body nor the service sets (CSDL150). */
  readonly unsetKeys: readonly string[];
  readonly fields: readonly FieldNode[];
  readonly streams: readonly StreamNode[];
  readonly navigation: readonly NavigationNode[];
  readonly rules: WriteRules;
  readonly transitions: TransitionTable | undefined;
  readonly permissions: Permissions;
  readonly conditions: RecordConditions;
  readonly limits: Limits;
  /** Properties that a `$filter` of the collection must use; undefined where none is required. */
  readonly requiresFilter: readonly string[] | undefined;
  readonly etag: { readonly required: boolean } | undefined;
  readonly routes: readonly Route[];
  readonly tracking: ChangeTracking | undefined;
  /** Its records are the changes of others, so that it has no table. */
  readonly events: ChangeEvents | undefined;
  /** How a table that outgrows one table or one machine is divided. */
  readonly layout: StorageLayout | undefined;
  readonly indexes: readonly IndexNode[];
}

/** A complex type, with inherited members. */
export interface ComplexNode extends TypeNames {
  readonly name: string;
  readonly qualifiedName: string;
  readonly description: string | undefined;
  /** The qualified name of the type that it derives from. */
  readonly base: string | undefined;
  /** The qualified names of the types that derive from it, however far. */
  readonly derivedTypes: readonly string[];
  readonly abstract: boolean;
  readonly open: boolean;
  readonly computed: readonly string[];
  readonly immutable: readonly string[];
  readonly fields: readonly FieldNode[];
  /** Its navigation properties, inherited ones first. */
  readonly navigation: readonly ValueNavigationNode[];
  /** Its media streams; the record that has the value has their bytes. */
  readonly streams: readonly { readonly name: string; readonly description: string | undefined; readonly inherited: boolean }[];
}

/** A navigation property of complex values. */
export interface ValueNavigationNode {
  readonly name: string;
  readonly inherited: boolean;
  readonly description: string | undefined;
  /** Qualified name of the target entity type. */
  readonly target: string;
  readonly collection: boolean;
  /** Whether properties of the value determine the target. */
  readonly constrained: boolean;
}

/** An entity type's place among those that derive from each other. */
export interface HierarchyNode {
  /** The type that it derives from, and all further ones by qualified name, the nearest first. */
  readonly base: EntityNode | undefined;
  readonly bases: readonly string[];
  /** Qualified names of the derived types, each after its base type. */
  readonly derived: readonly string[];
  readonly abstract: boolean;
  /**
   * The id of the type that names the table; absent for an unused abstract type, and for a keyless one that only
   * operations use.
   */
  readonly root: string | undefined;
  /** Records of several types share the table. */
  readonly discriminated: boolean;
  /** The type that the place declares, where that is a base type. */
  readonly setType: string | undefined;
}

/** The records that contained ones may belong to: their table, and the column with their number. */
export interface ParentNode {
  readonly column: string;
  readonly table: string;
  /** There are several tables, and a record belongs to one of one of them. */
  readonly nullable: boolean;
}

/** An index that the model asks for. */
export interface IndexNode {
  readonly names: readonly string[];
  /** Of the parts of one text, for `contains`. */
  readonly substrings: boolean;
}

/** The types that are made from one entity type. */
export interface DerivedNames {
  readonly key: string;
  /** The interface of the properties that clients write. */
  readonly writable: string;
  readonly create: string;
  readonly update: string;
}

/** One structural property. */
export interface FieldNode {
  readonly at: number;
  readonly name: string;
  readonly description: string | undefined;
  /** The value of Core.Example. */
  readonly example: string | undefined;
  /** It is declared by a base type. */
  readonly inherited?: true;
  readonly column: string;
  readonly field: Field;
  /** The union of its allowed values, where it has some. */
  readonly unionName: string | undefined;
  readonly enumeration: EnumNode | undefined;
}

/** One media stream: a stream property, or under the name `$value` that of a media entity. */
export interface StreamNode {
  readonly at: number;
  readonly name: string;
  readonly description: string | undefined;
  /** A base type has it. */
  readonly inherited?: true;
  readonly stream: Stream;
}

/** One navigation property. */
export interface NavigationNode {
  /** It is declared by a base type. */
  readonly inherited?: true;
  readonly at: number;
  readonly name: string;
  /** Its name in the database: its own, or with its type in front where the table has another one of that name. */
  readonly storedName: string;
  readonly description: string | undefined;
  readonly navigation: Navigation;
  readonly nullable: boolean;
  /** Present on the side that holds the foreign key. */
  readonly relation: Relation | undefined;
  /** Columns of nested properties that determine the target. */
  readonly pathColumns: readonly PathColumn[];
  /** Of many records to many: present on the side that the table is named after. */
  readonly joinTable: JoinTable | undefined;
}
