import type { Random } from '../../permission/random.js';

/** Attributes by name; those that are undefined are not written. */
export type Attributes = { readonly [name: string]: string | undefined };

/** A structural property that is being made up. */
export interface PropertyDraft {
  readonly name: string;
  /** Qualified, and without `Collection(...)`. */
  readonly type: string;
  readonly collection: boolean;
  readonly nullable: boolean;
  /** MaxLength, Precision, Scale, SRID, Unicode and DefaultValue. */
  readonly facets: Attributes;
}

/** A navigation property that is being made up. */
export interface NavigationDraft {
  readonly name: string;
  readonly target: StructuredDraft;
  readonly collection: boolean;
  readonly nullable: boolean;
  readonly contains: boolean;
  partner?: string;
  /** The own property and the target's. */
  readonly constraints: readonly (readonly [string, string])[];
  readonly onDelete?: string;
}

/** An entity type or a complex type that is being made up. */
export interface StructuredDraft {
  readonly kind: 'EntityType' | 'ComplexType';
  readonly schema: SchemaDraft;
  readonly name: string;
  readonly base: StructuredDraft | undefined;
  readonly abstract: boolean;
  readonly open: boolean;
  readonly stream: boolean;
  readonly key: { readonly path: string; readonly alias: string | undefined }[];
  readonly properties: PropertyDraft[];
  readonly navigation: NavigationDraft[];
}

/** An enumeration that is being made up; members without values are numbered. */
export interface EnumDraft {
  readonly name: string;
  readonly underlying: string;
  readonly flags: boolean;
  readonly members: readonly (readonly [name: string, value: string | undefined])[];
}

/** A type definition that is being made up. */
export interface DefinitionDraft {
  readonly name: string;
  readonly underlying: string;
  readonly facets: Attributes;
}

/** An action or function that is being made up. */
export interface OperationDraft {
  readonly kind: 'Action' | 'Function';
  readonly name: string;
  readonly bound: boolean;
  readonly composable: boolean;
  readonly parameters: readonly ParameterDraft[];
  readonly result: Omit<ParameterDraft, 'name'> | undefined;
}

/** A parameter or a result. */
export interface ParameterDraft {
  readonly name: string;
  readonly type: string;
  readonly collection: boolean;
  readonly nullable: boolean;
}

/** A schema that is being made up. */
export interface SchemaDraft {
  readonly namespace: string;
  readonly alias: string | undefined;
  readonly names: Set<string>;
  readonly structured: StructuredDraft[];
  readonly enums: EnumDraft[];
  readonly definitions: DefinitionDraft[];
  readonly operations: OperationDraft[];
}

/** An entity set or a singleton. */
export interface PlaceDraft {
  readonly kind: 'EntitySet' | 'Singleton';
  readonly name: string;
  readonly type: StructuredDraft;
  readonly nullable: boolean;
  readonly bindings: (readonly [path: string, target: string])[];
}

/** A model that is being made up; the container is in the first schema. */
export interface ModelDraft {
  readonly random: Random;
  readonly schemas: readonly SchemaDraft[];
  readonly container: string;
  /** Complex values may contain values of their own types. */
  readonly recursive: boolean;
  readonly places: PlaceDraft[];
  readonly imports: {
    readonly kind: 'Action' | 'Function';
    readonly name: string;
    readonly operation: string;
    readonly set: string | undefined;
  }[];
}

/** A name with its namespace, or with the alias where the schema has one and chance wants it. */
export function qualified(random: Random, { namespace, alias }: SchemaDraft, name: string): string {
  return `${alias !== undefined && random.chance(0.5) ? alias : namespace}.${name}`;
}

/** A type and those that it derives from, the nearest first. */
export function lineOf(type: StructuredDraft): readonly StructuredDraft[] {
  return type.base === undefined ? [type] : [type, ...lineOf(type.base)];
}

/** Every structured type of the model. */
export function structuredOf({ schemas }: Pick<ModelDraft, 'schemas'>, kind: StructuredDraft['kind']): readonly StructuredDraft[] {
  return schemas.flatMap(({ structured }) => structured.filter((type) => type.kind === kind));
}

/** The names of all properties of a type, of those that it derives from, and of those that derive from it. */
export function memberNames(type: StructuredDraft, types: readonly StructuredDraft[]): ReadonlySet<string> {
  const relatives = types.filter((other) => lineOf(other).includes(type) || lineOf(type).includes(other));
  return new Set(
    relatives.flatMap(({ properties, navigation, key }) =>
      [...properties, ...navigation].map(({ name }) => name).concat(key.flatMap(({ alias }) => alias ?? [])),
    ),
  );
}
