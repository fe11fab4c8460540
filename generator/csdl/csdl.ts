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

export interface Reference extends Annotatable {
  readonly uri: string;
  readonly includes: readonly Include[];
  readonly includeAnnotations: readonly IncludeAnnotations[];
}

interface Include extends Annotatable {
  readonly namespace: string;
  readonly alias: string | undefined;
}

export interface IncludeAnnotations {
  readonly at: number;
  readonly termNamespace: string;
  readonly qualifier: string | undefined;
  readonly targetNamespace: string | undefined;
}

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

export type SchemaElement =
  | StructuredType
  | EnumType
  | TypeDefinition
  | Term
  | Operation
  | EntityContainer;

/** A type name as written, and whether it stands in `Collection(...)`. */
export interface TypeReference extends Facets {
  readonly type: string;
  readonly collection: boolean;
}

export interface Facets {
  readonly nullable: boolean | undefined;
  readonly maxLength: number | 'max' | undefined;
  readonly precision: number | undefined;
  readonly scale: number | 'variable' | 'floating' | undefined;
  readonly srid: number | 'variable' | undefined;
  readonly unicode: boolean | undefined;
}

export interface StructuredType extends Named {
  readonly kind: 'EntityType' | 'ComplexType';
  readonly baseType: string | undefined;
  readonly abstract: boolean;
  readonly openType: boolean;
  readonly hasStream: boolean;
  readonly keys: readonly (readonly PropertyRef[])[];
  readonly properties: readonly (Property | NavigationProperty)[];
}

export interface PropertyRef {
  readonly at: number;
  readonly name: string;
  readonly alias: string | undefined;
}

export interface Property extends Named, TypeReference {
  readonly kind: 'Property';
  readonly defaultValue: string | undefined;
}

export interface NavigationProperty extends Named {
  readonly kind: 'NavigationProperty';
  readonly type: string;
  readonly collection: boolean;
  readonly nullable: boolean | undefined;
  readonly partner: string | undefined;
  readonly containsTarget: boolean;
  readonly constraints: readonly ReferentialConstraint[];
  readonly onDelete: OnDelete | undefined;
  /** The constraint of the other side, which has no navigation property back; told by the overlay, or inferred. */
  readonly joinedBy?: readonly ReferentialConstraint[];
}

export interface ReferentialConstraint extends Annotatable {
  readonly property: string;
  readonly referencedProperty: string;
}

interface OnDelete extends Annotatable {
  readonly action: string;
}

export interface EnumType extends Named {
  readonly kind: 'EnumType';
  readonly underlyingType: string | undefined;
  readonly isFlags: boolean;
  readonly members: readonly EnumMember[];
}

export interface EnumMember extends Named {
  readonly value: string | undefined;
}

export interface TypeDefinition extends Named, Facets {
  readonly kind: 'TypeDefinition';
  readonly underlyingType: string;
}

export interface Term extends Named, TypeReference {
  readonly kind: 'Term';
  readonly baseTerm: string | undefined;
  readonly defaultValue: string | undefined;
  readonly appliesTo: readonly string[];
}

export interface Operation extends Named {
  readonly kind: 'Action' | 'Function';
  readonly isBound: boolean;
  readonly isComposable: boolean;
  readonly entitySetPath: string | undefined;
  readonly parameters: readonly (Named & TypeReference)[];
  readonly returnType: (Annotatable & TypeReference) | undefined;
}

export interface EntityContainer extends Named {
  readonly kind: 'EntityContainer';
  readonly extends: string | undefined;
  readonly members: readonly ContainerMember[];
}

export type ContainerMember = EntitySet | Singleton | OperationImport;

export interface EntitySet extends Named {
  readonly kind: 'EntitySet';
  readonly entityType: string;
  readonly includeInServiceDocument: boolean;
  readonly bindings: readonly NavigationPropertyBinding[];
}

export interface Singleton extends Named {
  readonly kind: 'Singleton';
  readonly type: string;
  readonly nullable: boolean;
  readonly bindings: readonly NavigationPropertyBinding[];
}

export interface NavigationPropertyBinding {
  readonly at: number;
  readonly path: string;
  readonly target: string;
}

export interface OperationImport extends Named {
  readonly kind: 'ActionImport' | 'FunctionImport';
  readonly operation: string;
  readonly entitySet: string | undefined;
  readonly includeInServiceDocument: boolean;
}

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

export interface PropertyValue extends Annotatable {
  readonly property: string;
  readonly value: Expression | undefined;
}
