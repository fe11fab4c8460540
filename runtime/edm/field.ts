import type { EnumType } from './enum-type.js';
import type { PrimitiveTypeName } from './primitive.js';

/** One structural property of the model: a row of a generated field table. */
export interface Field {
  /** Of an enumeration its underlying type, of a type definition the primitive type behind it. */
  readonly type: PrimitiveTypeName;
  readonly enumeration?: EnumType;
  /** The type definition's name, where the model uses one. */
  readonly definition?: string;
  /** Of the type Edm.ComplexType: the qualified name of its type. */
  readonly complex?: string;
  /** The property of a base type has a type that this one derives from: values always say theirs, since records of the base type may have others. */
  readonly narrows?: true;
  /** The column, where it is not the property's own name (names over 63 bytes). */
  readonly column?: string;
  /** A row has no room for it: the column is the JSON of several properties, in the database's text form by name. */
  readonly more?: true;
  readonly nullable?: true;
  readonly collection?: true;
  /** Its items may be null, as the model says with `Nullable="true"`. */
  readonly nullableItems?: true;
  /** In characters (code points). */
  readonly maxLength?: number;
  /** Digits of a decimal; digits after the second's point of a temporal type. */
  readonly precision?: number;
  /** Digits after the point; absent means any number of them. */
  readonly scale?: number;
  /** The reference system of shapes, or that each value says its own (CSDL XML 4.01, 7.2.6). */
  readonly srid?: number | 'variable';
  /** The declared type of points whose values say their reference system, which PostgreSQL's points cannot: they are stored as shapes are, and other shapes are refused. */
  readonly shape?: 'Edm.GeographyPoint' | 'Edm.GeometryPoint';
  /** Of the raw value, from Core.MediaType; else text, and bytes of a binary value. */
  readonly mediaType?: string;
  /** Closed list of values, from Validation.AllowedValues; any other value is error 1105. */
  readonly allowedValues?: readonly string[];
  /** Name of the open or closed lookup, from RESO.OData.Metadata.LookupName. */
  readonly lookup?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  /** An ECMAScript regular expression, from Validation.Pattern. */
  readonly pattern?: string;
  /** As text in the database's own form, from DefaultValue. */
  readonly default?: string;
  readonly filterable?: false;
  readonly sortable?: false;
  /** `$search` looks into it, from Rules.Searchable. */
  readonly searchable?: true;
}

/** Structural properties by name, in the order of the model. A name that is not here cannot be used. */
export type FieldTable = { readonly [name: string]: Field };

/** A property of the key that lies within a complex value, and has another name in the key. */
export interface KeyField extends Field {
  /** From the record: `Info/ID`. */
  readonly path: string;
}
