import type { GeneratedValue } from './rules.js';

/** The types of stored values: the primitive types, and Edm.ComplexType. */
export type PrimitiveTypeName =
  | 'Edm.String'
  | 'Edm.Boolean'
  | 'Edm.Byte'
  | 'Edm.SByte'
  | 'Edm.Int16'
  | 'Edm.Int32'
  | 'Edm.Int64'
  | 'Edm.Decimal'
  | 'Edm.Single'
  | 'Edm.Double'
  | 'Edm.Date'
  | 'Edm.TimeOfDay'
  | 'Edm.DateTimeOffset'
  | 'Edm.Duration'
  | 'Edm.Guid'
  | 'Edm.Binary'
  | 'Edm.GeographyPoint'
  | 'Edm.GeometryPoint'
  | `Edm.Geo${'graphy' | 'metry'}${'' | 'LineString' | 'Polygon' | 'MultiPoint' | 'MultiLineString' | 'MultiPolygon' | 'Collection'}`
  | 'Edm.Untyped'
  | 'Edm.ComplexType';

/** How cells of a type are written as JSON; one cell writer each in `response`. */
export type CellKind =
  | 'string'
  | 'boolean'
  | 'number'
  | 'bigNumber'
  | 'double'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'duration'
  | 'guid'
  | 'binary'
  | 'point'
  | 'json'
  | 'complex';

/** The properties of a primitive type. */
export interface Primitive {
  /** The PostgreSQL type, without facets. */
  readonly sql: string;
  /** How its text form becomes JSON. */
  readonly cell: CellKind;
  /** Rank in numeric promotion (OData URL conventions 5.1.1.16); absent when not a number. */
  readonly rank?: number;
  /** Whole numbers have their range here, as decimal text. */
  readonly range?: readonly [string, string];
  /** Whether `lt`, `$orderby` and paging may use it; all but binary data, shapes, complex values and those of no type. */
  readonly ordered: boolean;
  /** The default of a required value, in the form of answers; complex values and shapes have none. */
  readonly nothing?: GeneratedValue;
}

const is = (value: string): Pick<Primitive, 'nothing'> => ({ nothing: { kind: 'constant', value } });
const now: Pick<Primitive, 'nothing'> = { nothing: { kind: 'now' } };

const int = (sql: string, rank: number, low: string, high: string): Primitive => ({
  sql,
  cell: 'number',
  rank,
  range: [low, high],
  ordered: true,
  ...is('0'),
});

// As GeoJSON, or as it was sent.
const json: Primitive = { sql: 'jsonb', cell: 'json', ordered: false };

/** One row per primitive type. */
export const primitives: { readonly [Name in PrimitiveTypeName]: Primitive } = {
  'Edm.String': { sql: 'text', cell: 'string', ordered: true, ...is('') },
  'Edm.Boolean': { sql: 'boolean', cell: 'boolean', ordered: true, ...is('false') },
  'Edm.Byte': int('smallint', 1, '0', '255'),
  'Edm.SByte': int('smallint', 1, '-128', '127'),
  'Edm.Int16': int('smallint', 2, '-32768', '32767'),
  'Edm.Int32': int('integer', 3, '-2147483648', '2147483647'),
  'Edm.Int64': { ...int('bigint', 4, '-9223372036854775808', '9223372036854775807'), cell: 'bigNumber' },
  'Edm.Decimal': { sql: 'numeric', cell: 'bigNumber', rank: 5, ordered: true, ...is('0') },
  'Edm.Single': { sql: 'real', cell: 'double', rank: 6, ordered: true, ...is('0') },
  'Edm.Double': { sql: 'double precision', cell: 'double', rank: 7, ordered: true, ...is('0') },
  'Edm.Date': { sql: 'date', cell: 'date', ordered: true, ...now },
  'Edm.TimeOfDay': { sql: 'time', cell: 'time', ordered: true, ...is('00:00:00') },
  'Edm.DateTimeOffset': { sql: 'timestamptz', cell: 'timestamp', ordered: true, ...now },
  'Edm.Duration': { sql: 'interval', cell: 'duration', ordered: true, ...is('PT0S') },
  'Edm.Guid': { sql: 'uuid', cell: 'guid', ordered: true, ...is('00000000-0000-0000-0000-000000000000') },
  'Edm.Binary': { sql: 'bytea', cell: 'binary', ordered: false, ...is('') },
  'Edm.GeographyPoint': { sql: 'point', cell: 'point', ordered: false },
  'Edm.GeometryPoint': { sql: 'point', cell: 'point', ordered: false },
  'Edm.Geography': json,
  'Edm.GeographyLineString': json,
  'Edm.GeographyPolygon': json,
  'Edm.GeographyMultiPoint': json,
  'Edm.GeographyMultiLineString': json,
  'Edm.GeographyMultiPolygon': json,
  'Edm.GeographyCollection': json,
  'Edm.Geometry': json,
  'Edm.GeometryLineString': json,
  'Edm.GeometryPolygon': json,
  'Edm.GeometryMultiPoint': json,
  'Edm.GeometryMultiLineString': json,
  'Edm.GeometryMultiPolygon': json,
  'Edm.GeometryCollection': json,
  'Edm.Untyped': json,
  'Edm.ComplexType': { sql: 'jsonb', cell: 'complex', ordered: false },
};

/** Whether a qualified name is that of a type whose values are single. */
export function isPrimitive(name: string): name is Exclude<PrimitiveTypeName, 'Edm.ComplexType'> {
  return Object.hasOwn(primitives, name) && name !== 'Edm.ComplexType';
}

/** Whether the type takes part in arithmetic. */
export function isNumeric(type: PrimitiveTypeName): boolean {
  return primitives[type].rank !== undefined;
}

/** Whether values of a type are shapes, including points. */
export function isGeo(type: string): boolean {
  return /^Edm\.Geo(graphy|metry)/.test(type);
}

/** The default reference system of shapes: longitude and latitude, or a plane without units (CSDL XML 4.01, 7.2.6). */
export function defaultSystem(type: string): number {
  return type.startsWith('Edm.Geography') ? 4326 : 0;
}

/** Whether numbers of a type are binary fractions, which decimals do not represent exactly. */
export function isFloating(type: string | undefined): type is 'Edm.Single' | 'Edm.Double' {
  return type === 'Edm.Double' || type === 'Edm.Single';
}
