import type { PrimitiveTypeName } from './primitive.js';

/** A structural property of the model: a row of a generated field table. */
export interface Field {
  /** The primitive type; for enumerations and type definitions the underlying one. */
  readonly type: PrimitiveTypeName;
  readonly enumeration?: EnumType;
  /** The type definition's name, where the model uses one. */
  readonly definition?: string;
  /** The qualified name of a complex type. */
  readonly complex?: string;
  /** The column, where it differs from the property's name (names over 63 bytes). */
  readonly column?: string;
  /** It shares a column: the JSON of several properties, in the database's text form by name. */
  readonly more?: true;
  readonly nullable?: true;
  readonly collection?: true;
  /** Whether items may be null (`Nullable="true"`). */
  readonly nullableItems?: true;
  /** In characters (code points). */
  readonly maxLength?: number;
  /** Digits of a decimal; fractional digits of a second in a temporal type. */
  readonly precision?: number;
  /** Digits after the point; absent for any number of them. */
  readonly scale?: number;
  /** The reference system of shapes, or that each value has its own (CSDL XML 4.01, 7.2.6). */
  readonly srid?: number | 'variable';
  /** The declared type of points with their own reference system, which are stored like shapes; other shapes are rejected. */
  readonly shape?: 'Edm.GeographyPoint' | 'Edm.GeometryPoint';
  /** The media type of the raw value, from Core.MediaType; by default text, or bytes for a binary value. */
  readonly mediaType?: string;
  /** Closed list of values, from Validation.AllowedValues; any other value is error 1105. */
  readonly allowedValues?: readonly string[];
  /** Name of the open or closed lookup, from RESO.OData.Metadata.LookupName. */
  readonly lookup?: string;
  /** The least value, from Validation.Minimum; `exclusiveMinimum` where it is none itself (Validation.Exclusive). */
  readonly minimum?: string;
  readonly exclusiveMinimum?: true;
  /** The greatest value, from Validation.Maximum. */
  readonly maximum?: string;
  readonly exclusiveMaximum?: true;
  /** An ECMAScript regular expression, from Validation.Pattern. */
  readonly pattern?: string;
  /** The default in the database's text form, from DefaultValue. */
  readonly default?: string;
  readonly filterable?: false;
  readonly sortable?: false;
  /** Whether `$search` covers it, from Rules.Searchable. */
  readonly searchable?: true;
}

/** Structural properties by name, in the order of the model. */
export type FieldTable = { readonly [name: string]: Field };

/** A key property nested in a complex value, with its alias in the key. */
export interface KeyField extends Field {
  /** The path from the entity: `Info/ID`. */
  readonly path: string;
}

/** An enumeration with its members. The values are whole numbers of the underlying type. */
export interface EnumType {
  readonly qualifiedName: string;
  readonly underlyingType: PrimitiveTypeName;
  /** A value may combine members, whose values are bit sets. */
  readonly flags?: true;
  /** Values as decimal text, since they may have 64 bits. */
  readonly members: readonly (readonly [name: string, value: string])[];
}
