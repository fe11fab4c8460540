import type { EnumType, Field, Limits, Navigation, Permission, RecordConditions, Route } from '../../runtime/edm/index.js';
import type { Annotation, Csdl, NavigationProperty, Property, StructuredType } from '../csdl/csdl.js';
import type { Notes, RecordValue } from '../csdl/vocabulary.js';
import type { Report } from '../faults.js';
import type { PermissionLists } from '../map-permissions.js';
import type { StreamNode } from './model-graph.js';
import type { Scope } from './names/scope.js';
import type { JoinTable, PathColumn, Place, Relation } from './storage.js';

// Types that the passes of this folder share, from the first names to the finished graph.

/** The entity sources of a model, in total and by type. */
export interface Places {
  readonly all: readonly Place[];
  /** The entity sources of a type, by its qualified name. */
  readonly of: ReadonlyMap<string, readonly Place[]>;
  /** The entity source whose table has the plain name, by the qualified name of the root type. */
  readonly first: ReadonlyMap<string, Place>;
  /** By the containing navigation property. */
  readonly contained: ReadonlyMap<NavigationProperty, Place>;
  /** Sets and singletons by name. */
  readonly members: ReadonlyMap<string, Place>;
  /** The root types with several entity sets. */
  readonly several: ReadonlySet<string>;
}

/** The start of navigation: a type in one entity source. */
export interface Start {
  readonly place: Place | undefined;
  readonly places: Places;
  readonly types: BuiltTypes;
  readonly context: Context;
}

/** The context of all passes. */
export interface Context extends ValueContext {
  /** Complex types by qualified name. */
  readonly complexTypes: ReadonlyMap<string, BuiltComplex>;
}

/** The context for building the types of values. */
export interface ValueContext extends Names {
  /** Enumerations by qualified name. */
  readonly enums: ReadonlyMap<string, BuiltEnum>;
}

/** The context of passes before types. */
export interface Names {
  readonly csdl: Csdl;
  readonly scope: Scope;
  readonly report: Report;
  /** Whether a path from a qualified name exists in the model. */
  readonly leadsSomewhere: (path: string) => boolean;
  readonly notesOf: (target: string, inline: readonly Annotation[]) => Notes;
}

/** A structural property without permissions. */
export interface BuiltField {
  readonly property: Property;
  readonly notes: Notes;
  readonly description: string | undefined;
  readonly example: string | undefined;
  readonly column: string;
  readonly field: Field;
}

/** Properties by name. */
export type BuiltFields = ReadonlyMap<string, BuiltField>;

/** An enumeration with the values of all its members. */
export interface BuiltEnum {
  readonly name: string;
  readonly description: string | undefined;
  readonly table: EnumType;
}

/** A complex type with inherited members, before names in generated code are assigned. */
export interface BuiltComplex {
  readonly definition: StructuredType;
  readonly name: string;
  readonly qualifiedName: string;
  /** The properties that it adds to those of its base types. */
  readonly own: BuiltFields;
  /** Inherited properties first. */
  readonly fields: BuiltFields;
  /** The types that it derives from, the nearest first. */
  readonly bases: readonly string[];
}

/** A navigation property or stream of a complex type, and the complex type that declares it. */
export interface NestedMember<Member extends Property | NavigationProperty = Property | NavigationProperty> {
  readonly property: Member;
  readonly owner: BuiltComplex;
}

/** A member of a complex value, and the path to the value: names, each followed by a cast where a derived type declares the member. */
export interface Within<Found> {
  readonly found: Found;
  readonly path: readonly string[];
}

/** A member that values cannot have where they lie. */
export interface Unsupported<Found> extends Within<Found> {
  readonly within: 'the items of a collection' | 'a value of its own type' | 'a complex value';
}

/** The members found in the complex values of some properties. */
export interface FoundWithin<Found> {
  /** Of single values, of which a record has one each. */
  readonly single: readonly Within<Found>[];
  /** Of values of which a record may have many. */
  readonly unsupported: readonly Unsupported<Found>[];
}

/** An entity type before relations and sets are known. */
export interface BuiltType {
  /** With the properties that it inherits. */
  readonly definition: StructuredType;
  /** Its own name, or with its namespace where types of several schemas have it. */
  readonly name: string;
  readonly qualifiedName: string;
  readonly table: string;
  /** The type that owns the table, if there is one. */
  readonly root: string | undefined;
  /** The types that it derives from, the nearest first. */
  readonly bases: readonly BuiltType[];
  readonly key: readonly string[];
  /** By their names in the key, the properties of it that lie within complex values. */
  readonly keyColumns: ReadonlyMap<string, PathColumn>;
  /** The properties that it declares itself. */
  readonly own: BuiltFields;
  /** Inherited properties first. */
  readonly fields: BuiltFields;
  /** Media streams by name, inherited ones first. */
  readonly streams: ReadonlyMap<string, StreamNode>;
  /** The navigation properties that it declares itself, and those of its complex values by their paths. */
  readonly ownNavigation: readonly NavigationProperty[];
  readonly navigation: readonly NavigationProperty[];
  /** The navigation properties and streams of the complex values in its own properties. */
  readonly nested: FoundWithin<NestedMember>;
  /** The column for the target's `#id`, by navigation property. */
  readonly numberColumns: ReadonlyMap<string, string>;
  readonly notes: Notes;
}

/** Every entity type by qualified name. */
export type BuiltTypes = ReadonlyMap<string, BuiltType>;

/** A navigation property with its two types and its partner. */
export interface Ends {
  readonly property: NavigationProperty;
  readonly type: BuiltType;
  readonly target: BuiltType;
  readonly inverse: NavigationProperty | undefined;
  /** The suffixes of the two types' tables, for their entity sources. */
  readonly suffixes: readonly [own: string, other: string];
  /** Whether the entities of each side are contained, so that their keys are not unique. */
  readonly contained: readonly [own: boolean, other: boolean];
}

/** The join of two types, and the storage for it on this side. */
export interface Joined {
  readonly navigation: Pick<
    Navigation,
    | 'join'
    | 'mirroredBy'
    | 'mirrors'
    | 'through'
    | 'required'
    | 'owns'
    | 'setsNull'
    | 'cascades'
    | 'follows'
    | 'contains'
    | 'container'
    | 'sole'
  >;
  readonly relation?: Relation;
  /** Columns for the relation, in addition to those of properties. */
  readonly pathColumns?: readonly PathColumn[];
  readonly joinTable?: JoinTable;
}

/** A permission whose properties have not been resolved against the type. */
export interface ListedPermission extends Permission {
  readonly at: number;
  /** The properties that it includes, where it names them instead of excluded ones. */
  readonly only?: readonly string[];
}

/** Permissions of a place by operation. */
export type ListedPermissions = PermissionLists<ListedPermission>;

/** The restrictions and routes of an entity source; a type without one has the defaults and no routes. */
export interface BuiltSet {
  readonly notes: Notes;
  /** The record of a restriction term, of the set or else the container's default. */
  readonly restriction: (term: string) => RecordValue | undefined;
  /** Whether entities are created, in the set or along a navigation property. */
  readonly insertable: boolean;
  readonly updatable: boolean;
  /** Whether all entities may be changed, and contained ones by default as well. */
  readonly changeable: boolean;
  readonly conditions: RecordConditions;
  /** Whether missing entities may be created at their address, where clients choose the keys. */
  readonly upsertable: boolean;
  readonly permissions: ListedPermissions;
  readonly limits: Limits;
  /** For contained entities: they have ETags if a containing set has. */
  readonly etag: { readonly required: boolean } | undefined;
  readonly etagged: boolean;
  readonly routes: readonly Route[];
}

/** Looks up the restrictions of a set. */
export type Restriction = BuiltSet['restriction'];

/** An entity type's position in its inheritance hierarchy. */
export interface Lineage {
  readonly definition: StructuredType;
  /** Qualified names of the base types, the nearest first. */
  readonly bases: readonly string[];
  /**
   * The type that owns the table; absent for an unused abstract type, and for a keyless one that only operations use.
   */
  readonly root: string | undefined;
  /** Only singletons and single-valued navigation properties have it, so it needs no key. */
  readonly alone: boolean;
}
