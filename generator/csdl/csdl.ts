/** An element with its place in the text; the raw form, of XML and of JSON, that the typed one is read from. */
export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  readonly namespace: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Names of attributes of other namespaces, which say nothing to us. */
  readonly foreign: readonly string[];
  readonly children: readonly XmlElement[];
  readonly text: string;
  readonly at: number;
}

/** The document as written: nothing resolved, nothing dropped; every kind is named as CSDL names it. */
export interface Csdl {
  readonly path: string;
  readonly text: string;
  readonly format: 'xml' | 'json';
  readonly version: string;
  readonly references: readonly Reference[];
  readonly schemas: readonly Schema[];
  /** What it says is more than its text says: the overlay, or what lenient mode filled in. */
  readonly changed?: true;
}

/** Whatever has a place and may be annotated. */
export interface Annotatable {
  readonly at: number;
  readonly annotations: readonly Annotation[];
}

/** Whatever has a name too. */
export interface Named extends Annotatable {
  readonly name: string;
}

/** A document that this one refers to, and which of its schemas and annotations it takes (CSDL XML 4.01, 3.3). */
export interface Reference extends Annotatable {
  readonly uri: string;
  readonly includes: readonly Include[];
  readonly includeAnnotations: readonly IncludeAnnotations[];
}

interface Include extends Annotatable {
  readonly namespace: string;
  readonly alias: string | undefined;
}

/** Annotations taken from another document: those of one vocabulary, perhaps of one qualifier or about one schema only. */
export interface IncludeAnnotations {
  readonly at: number;
  readonly termNamespace: string;
  readonly qualifier: string | undefined;
  readonly targetNamespace: string | undefined;
}

/** A namespace with what it declares; `targets` are annotations of elements that may lie in others. */
export interface Schema extends Annotatable {
  readonly namespace: string;
  readonly alias: string | undefined;
  readonly elements: readonly SchemaElement[];
  readonly targets: readonly AnnotationsOf[];
}

/** Annotations that stand apart from what they annotate. */
export interface AnnotationsOf extends Annotatable {
  readonly target: string;
}

/** What a schema may declare, each with a name of its own in it. */
export type SchemaElement = StructuredType | EnumType | TypeDefinition | Term | Operation | EntityContainer;

/** A type name as written, and whether it stands in `Collection(...)`. */
export interface TypeReference extends Facets {
  readonly type: string;
  readonly collection: boolean;
}

/** What narrows the values of a type where it is used; undefined is what the document does not say, which is not always the default. */
export interface Facets {
  readonly nullable: boolean | undefined;
  readonly maxLength: number | 'max' | undefined;
  readonly precision: number | undefined;
  readonly scale: number | 'variable' | 'floating' | undefined;
  readonly srid: number | 'variable' | undefined;
  readonly unicode: boolean | undefined;
}

/** An entity type or a complex type; a type has one key at most, and a document may say several by mistake. */
export interface StructuredType extends Named {
  readonly kind: 'EntityType' | 'ComplexType';
  readonly baseType: string | undefined;
  readonly abstract: boolean;
  readonly openType: boolean;
  /** It says that it is not open. */
  readonly closed?: true;
  readonly hasStream: boolean;
  readonly keys: readonly (readonly PropertyRef[])[];
  readonly properties: readonly (Property | NavigationProperty)[];
  /** Properties whose type is not known, and those of them that were left out: who names one of them is not wrong. */
  readonly leftOut?: readonly string[];
}

/** Where the overlay says an attribute of a property, so that what is wrong with it is told there. */
export type Overlaid = { readonly [Attribute in 'partner' | 'defaultValue' | 'maxLength']?: number };

/** A property that is part of a key, with the name that it has in URLs where its path is no name. */
export interface PropertyRef {
  readonly at: number;
  readonly name: string;
  readonly alias: string | undefined;
  /** It stands for a path to the key of a related record, which the property repeats. */
  readonly related?: true;
}

/** A structural property, as the type itself declares it and not what it inherits. */
export interface Property extends Named, TypeReference {
  readonly kind: 'Property';
  readonly defaultValue: string | undefined;
  readonly overlaid?: Overlaid;
}

/** A way from a record to others; how they are joined, its constraints and its partner say. */
export interface NavigationProperty extends Named {
  readonly kind: 'NavigationProperty';
  readonly type: string;
  readonly collection: boolean;
  readonly nullable: boolean | undefined;
  readonly partner: string | undefined;
  readonly overlaid?: Overlaid;
  readonly containsTarget: boolean;
  readonly constraints: readonly ReferentialConstraint[];
  readonly onDelete: OnDelete | undefined;
  /** The constraint of the other side, which has no navigation property back; told by the overlay, or inferred. */
  readonly joinedBy?: readonly ReferentialConstraint[];
  /** Of the part of one to records of any type that leads to those of one set. */
  readonly arm?: Arm;
}

/** What leads to records of any type, or to those of several places, and the entity set or other place that this part of it leads to. */
export interface Arm {
  readonly of: string;
  readonly set: string;
  /** A record leads somewhere at any time, by one part or another. */
  readonly required: boolean;
  /** The type, where all of the records have one. */
  readonly type?: string;
}

/** Two properties that have the same value in a record and in the one it leads to. */
export interface ReferentialConstraint extends Annotatable {
  readonly property: string;
  readonly referencedProperty: string;
}

interface OnDelete extends Annotatable {
  readonly action: string;
}

/** Names for whole numbers; with `isFlags` a value may have several of them. */
export interface EnumType extends Named {
  readonly kind: 'EnumType';
  readonly underlyingType: string | undefined;
  readonly isFlags: boolean;
  readonly members: readonly EnumMember[];
}

/** One name; where it says no value, the place in the list is its value. */
export interface EnumMember extends Named {
  readonly value: string | undefined;
}

/** A primitive type under a name of its own, with facets and annotations that hold wherever it is used. */
export interface TypeDefinition extends Named, Facets {
  readonly kind: 'TypeDefinition';
  readonly underlyingType: string;
}

/** What annotations may say, and of what kind of value. */
export interface Term extends Named, TypeReference {
  readonly kind: 'Term';
  readonly baseTerm: string | undefined;
  readonly defaultValue: string | undefined;
  readonly appliesTo: readonly string[];
}

/** One overload of an action or a function; several may share a name. */
export interface Operation extends Named {
  readonly kind: 'Action' | 'Function';
  readonly isBound: boolean;
  readonly isComposable: boolean;
  readonly entitySetPath: string | undefined;
  readonly parameters: readonly (Named & TypeReference)[];
  readonly returnType: (Annotatable & TypeReference) | undefined;
}

/** What the service offers at its root. */
export interface EntityContainer extends Named {
  readonly kind: 'EntityContainer';
  readonly extends: string | undefined;
  readonly members: readonly ContainerMember[];
}

/** What a container may hold, each addressed by its name. */
export type ContainerMember = EntitySet | Singleton | OperationImport;

/** A collection of records at the root, and where its navigation properties lead. */
export interface EntitySet extends Named {
  readonly kind: 'EntitySet';
  readonly entityType: string;
  readonly includeInServiceDocument: boolean;
  readonly bindings: readonly NavigationPropertyBinding[];
}

/** A single record at the root, which may be missing where it is nullable. */
export interface Singleton extends Named {
  readonly kind: 'Singleton';
  readonly type: string;
  readonly nullable: boolean;
  readonly bindings: readonly NavigationPropertyBinding[];
}

/** To which set a navigation property leads, by its path from the records of this one. */
export interface NavigationPropertyBinding {
  readonly at: number;
  readonly path: string;
  readonly target: string;
}

/** The name under which unbound overloads are called at the root; the set says what its answer is part of. */
export interface OperationImport extends Named {
  readonly kind: 'ActionImport' | 'FunctionImport';
  readonly operation: string;
  readonly entitySet: string | undefined;
  readonly includeInServiceDocument: boolean;
}

/** What a term says of an element; the qualifier tells several of one term apart. */
export interface Annotation extends Annotatable {
  readonly term: string;
  readonly qualifier: string | undefined;
  /** Absent when the annotation relies on the default of its term. */
  readonly value: Expression | undefined;
  /** It drives the service, and is no business of clients. */
  readonly unserved?: true;
}

/** An annotation expression; constants keep the text and the kind they were written in. */
export type Expression = { readonly at: number; readonly annotations: readonly Annotation[] } & (
  | { readonly kind: 'constant'; readonly type: string; readonly value: string }
  | { readonly kind: 'path'; readonly type: string; readonly value: string }
  | { readonly kind: 'null' }
  | { readonly kind: 'collection'; readonly items: readonly Expression[] }
  | { readonly kind: 'record'; readonly type: string | undefined; readonly members: readonly PropertyValue[] }
  | { readonly kind: 'operator'; readonly operator: string; readonly operands: readonly Expression[] }
  | { readonly kind: 'apply'; readonly function: string; readonly operands: readonly Expression[] }
  | ({ readonly kind: 'cast' | 'isOf'; readonly operand: Expression | undefined } & TypeReference)
  | { readonly kind: 'label'; readonly name: string; readonly operand: Expression | undefined }
  | { readonly kind: 'labelReference'; readonly name: string }
);

/** One member of a record in an annotation. */
export interface PropertyValue extends Annotatable {
  readonly property: string;
  readonly value: Expression | undefined;
}
