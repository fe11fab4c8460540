import type { PrimitiveTypeName } from '../edm/index.js';
import type { Family } from './methods.js';

/** The family of each type, one row a type. */
export const familyOf: { readonly [Name in PrimitiveTypeName]: Family } = {
  'Edm.String': 'string',
  'Edm.Boolean': 'boolean',
  'Edm.Byte': 'number',
  'Edm.SByte': 'number',
  'Edm.Int16': 'number',
  'Edm.Int32': 'number',
  'Edm.Int64': 'number',
  'Edm.Decimal': 'number',
  'Edm.Single': 'number',
  'Edm.Double': 'number',
  'Edm.Date': 'date',
  'Edm.TimeOfDay': 'time',
  'Edm.DateTimeOffset': 'timestamp',
  'Edm.Duration': 'duration',
  'Edm.Guid': 'guid',
  'Edm.Binary': 'binary',
  'Edm.GeographyPoint': 'point',
  'Edm.GeometryPoint': 'point',
  'Edm.Geography': 'anyShape',
  'Edm.GeographyLineString': 'line',
  'Edm.GeographyPolygon': 'polygon',
  'Edm.GeographyMultiPoint': 'shape',
  'Edm.GeographyMultiLineString': 'shape',
  'Edm.GeographyMultiPolygon': 'shape',
  'Edm.GeographyCollection': 'shape',
  'Edm.Geometry': 'anyShape',
  'Edm.GeometryLineString': 'line',
  'Edm.GeometryPolygon': 'polygon',
  'Edm.GeometryMultiPoint': 'shape',
  'Edm.GeometryMultiLineString': 'shape',
  'Edm.GeometryMultiPolygon': 'shape',
  'Edm.GeometryCollection': 'shape',
  'Edm.Untyped': 'complex',
  'Edm.ComplexType': 'complex',
};

/** The families of shapes, which are not compared, sorted or grouped by. */
export const shapeFamilies = ['point', 'polygon', 'line', 'shape', 'anyShape'] as const satisfies readonly Family[];

/** The name of a family in a message. */
export const familyNames: { readonly [Name in Family]: string } = {
  string: 'a string',
  number: 'a number',
  boolean: 'a Boolean',
  date: 'a date',
  time: 'a time of day',
  timestamp: 'a date-time',
  duration: 'a duration',
  guid: 'a GUID',
  binary: 'binary data',
  point: 'a point',
  polygon: 'a polygon',
  line: 'a line string',
  shape: 'a shape',
  anyShape: 'a shape',
  enumeration: 'an enumeration',
  complex: 'a complex value',
  collection: 'a collection',
};
