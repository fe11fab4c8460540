/** An element with its position; the raw form, of XML and of JSON, that the typed document is read from. */
export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  readonly namespace: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Names of attributes from other namespaces, which are ignored. */
  readonly foreign: readonly string[];
  readonly children: readonly XmlElement[];
  readonly text: string;
  readonly at: number;
}

/** The document as written: nothing resolved, nothing dropped; every kind has its CSDL name. */
export interface Csdl {
  readonly text: string;
  readonly format: 'xml' | 'json';
  readonly version: string;
  readonly references: readonly Reference[];
  readonly schemas: readonly Schema[];
  /** The document differs from its text: the overlay or lenient mode added something. */
  readonly changed?: true;
}

/** A model element with a position and annotations. */
export interface Annotatable {
  readonly at: number;
  readonly annotations: readonly Annotation[];
}

/** A named model element. */
export interface Named extends Annotatable {
  readonly name: string;
}

/** A reference to another document, with the included schemas and annotations (CSDL XML 4.01, 3.3). */
export interface Reference extends Annotatable {
  readonly uri: string;
  readonly includes: readonly Include[];
  readonly includeAnnotations: readonly IncludeAnnotations[];
}

interface Include extends Annotatable {
  readonly namespace: string;
  readonly alias: string | undefined;
}

/** Annotations included from another document: by vocabulary, and optionally by qualifier and target namespace. */
export interface IncludeAnnotations {
  readonly at: number;
  readonly termNamespace: string;
  readonly qualifier: string | undefined;
  readonly targetNamespace: string | undefined;
}

/** A schema; `targets` are annotations of elements that may be in other schemas. */
export interface Schema extends Annotatable {
  readonly namespace: string;
  readonly alias: string | undefined;
  readonly elements: readonly SchemaElement[];
  readonly targets: readonly AnnotationsOf[];
}

/** An `Annotations` element: annotations separate from their target. */
export interface AnnotationsOf extends Annotatable {
  readonly target: string;
}

/** A child of a schema, with a unique name. */
export type SchemaElement = StructuredType | EnumType | TypeDefinition | Term | Operation | EntityContainer;

/** A type name as written, and whether it is in `Collection(...)`. */
export interface TypeReference extends Facets {
  readonly type: string;
  readonly collection: boolean;
}

/** The facets of a type reference; undefined means absent in the document, which is not always the default. */
export interface Facets {
  readonly nullable: boolean | undefined;
  readonly maxLength: number | 'max' | undefined;
  readonly precision: number | undefined;
  readonly scale: number | 'variable' | 'floating' | undefined;
  readonly srid: number | 'variable' | undefined;
  readonly unicode: boolean | undefined;
}

/** An entity type or a complex type; `keys` has more than one element only by mistake. */
export interface StructuredType extends Named {
  readonly kind: 'EntityType' | 'ComplexType';
  readonly baseType: string | undefined;
  readonly abstract: boolean;
  readonly openType: boolean;
  /** `OpenType` is explicitly false. */
  readonly closed?: true;
  readonly hasStream: boolean;
  readonly keys: readonly (readonly PropertyRef[])[];
  readonly properties: readonly (Property | NavigationProperty)[];
  /** Names of properties that were omitted because their type is unknown or unsupported; references to them are no faults. */
  readonly leftOut?: readonly string[];
}

/** Positions of attributes that the overlay sets, where their faults are reported. */
export type Overlaid = { readonly [Attribute in 'partner' | 'defaultValue' | 'maxLength']?: number };

/** A key property, with its alias where its path is no name. */
export interface PropertyRef {
  readonly at: number;
  readonly name: string;
  readonly alias: string | undefined;
  /** It replaces a path to a related entity's key, which the property mirrors. */
  readonly related?: true;
}

/** A structural property as declared, without inherited ones. */
export interface Property extends Named, TypeReference {
  readonly kind: 'Property';
  readonly defaultValue: string | undefined;
  readonly overlaid?: Overlaid;
}

/** A navigation property with its constraints and partner, which determine the join. */
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
  /** The constraint of the other side, which has no navigation property back; from the overlay, or inferred. */
  readonly joinedBy?: readonly ReferentialConstraint[];
  /** Navigation properties to other types have the same dependent property. */
  readonly sharesProperty?: true;
}

/** A pair of properties with equal values in an entity and its target. */
export interface ReferentialConstraint extends Annotatable {
  readonly property: string;
  readonly referencedProperty: string;
}

interface OnDelete extends Annotatable {
  readonly action: string;
}

/** An enumeration; with `isFlags` a value may combine several members. */
export interface EnumType extends Named {
  readonly kind: 'EnumType';
  readonly underlyingType: string | undefined;
  readonly isFlags: boolean;
  readonly members: readonly EnumMember[];
}

/** A member; without a value, its position in the list is its value. */
export interface EnumMember extends Named {
  readonly value: string | undefined;
}

/** A named primitive type; its facets and annotations apply wherever it is used. */
export interface TypeDefinition extends Named, Facets {
  readonly kind: 'TypeDefinition';
  readonly underlyingType: string;
}

/** A term with its type and the elements that it applies to. */
export interface Term extends Named, TypeReference {
  readonly kind: 'Term';
  readonly baseTerm: string | undefined;
  readonly defaultValue: string | undefined;
  readonly appliesTo: readonly string[];
}

/** One overload of an action or a function. */
export interface Operation extends Named {
  readonly kind: 'Action' | 'Function';
  readonly isBound: boolean;
  readonly isComposable: boolean;
  readonly entitySetPath: string | undefined;
  readonly parameters: readonly (Named & TypeReference)[];
  readonly returnType: (Annotatable & TypeReference) | undefined;
}

/** The entity container. */
export interface EntityContainer extends Named {
  readonly kind: 'EntityContainer';
  readonly extends: string | undefined;
  readonly members: readonly ContainerMember[];
}

/** A child of a container, addressed by its name. */
export type ContainerMember = EntitySet | Singleton | OperationImport;

/** An entity set with the bindings of its navigation properties. */
export interface EntitySet extends Named {
  readonly kind: 'EntitySet';
  readonly entityType: string;
  readonly includeInServiceDocument: boolean;
  readonly bindings: readonly NavigationPropertyBinding[];
}

/** A singleton; a nullable one may be missing. */
export interface Singleton extends Named {
  readonly kind: 'Singleton';
  readonly type: string;
  readonly nullable: boolean;
  readonly bindings: readonly NavigationPropertyBinding[];
}

/** A navigation property binding: a path from the entity type, and its target. */
export interface NavigationPropertyBinding {
  readonly at: number;
  readonly path: string;
  readonly target: string;
}

/** An action or function import, with the entity set of its result. */
export interface OperationImport extends Named {
  readonly kind: 'ActionImport' | 'FunctionImport';
  readonly operation: string;
  readonly entitySet: string | undefined;
  readonly includeInServiceDocument: boolean;
}

/** An annotation; qualifiers distinguish several with one term. */
export interface Annotation extends Annotatable {
  readonly term: string;
  readonly qualifier: string | undefined;
  /** Absent when the annotation relies on the default of its term. */
  readonly value: Expression | undefined;
  /** It drives the service, and is not served in $metadata. */
  readonly unserved?: true;
}

/** An annotation expression; constants keep their text and kind. */
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

/** A property value of a record in an annotation. */
export interface PropertyValue extends Annotatable {
  readonly property: string;
  readonly value: Expression | undefined;
}

/** Whether an element of a schema is an action or a function. */
export function isOperation(element: SchemaElement): element is Operation {
  return element.kind === 'Action' || element.kind === 'Function';
}
