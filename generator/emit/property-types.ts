import type { StatementStructures } from './ts-morph.js';
import { exportedType } from './structures.js';
import { type Field, type PrimitiveTypeName, mediaStream, primitives } from '../../runtime/edm/index.js';
import type { ComplexNode, FieldNode, KeyColumn, StreamNode } from '../graph/model-graph.js';
import { docText } from './describe.js';
import { printLiteral, printString, printPropertyName } from './print-literal.js';
import { memoized } from '../../runtime/edm/memoized.js';

/** The type parameter of decimals and 64-bit numbers, which JSON has as numbers or as text (JSON Format 3.2). */
export const numberParameter = 'Decimals';

// Text that queries do not quote has a mark, by which the client's filters know it; any text can be assigned.
// Shapes other than points are GeoJSON (RFC 7946).
const primitiveTypes: { readonly [Name in PrimitiveTypeName]: string } = {
  'Edm.String': 'string',
  'Edm.Boolean': 'boolean',
  'Edm.Byte': 'number',
  'Edm.SByte': 'number',
  'Edm.Int16': 'number',
  'Edm.Int32': 'number',
  'Edm.Int64': numberParameter,
  'Edm.Decimal': numberParameter,
  'Edm.Single': 'number',
  'Edm.Double': 'number',
  'Edm.Date': "string & { edm?: 'Date' }",
  'Edm.TimeOfDay': "string & { edm?: 'TimeOfDay' }",
  'Edm.DateTimeOffset': "string & { edm?: 'DateTimeOffset' }",
  'Edm.Duration': 'string',
  'Edm.Guid': "string & { edm?: 'Guid' }",
  'Edm.Binary': 'string',
  'Edm.GeographyPoint': "{ type: 'Point'; coordinates: [longitude: number, latitude: number] }",
  'Edm.GeometryPoint': "{ type: 'Point'; coordinates: [x: number, y: number] }",
  'Edm.Geography': 'object',
  'Edm.GeographyLineString': "{ type: 'LineString'; coordinates: [longitude: number, latitude: number][] }",
  'Edm.GeographyPolygon': "{ type: 'Polygon'; coordinates: [longitude: number, latitude: number][][] }",
  'Edm.GeographyMultiPoint': "{ type: 'MultiPoint'; coordinates: [longitude: number, latitude: number][] }",
  'Edm.GeographyMultiLineString': "{ type: 'MultiLineString'; coordinates: [longitude: number, latitude: number][][] }",
  'Edm.GeographyMultiPolygon': "{ type: 'MultiPolygon'; coordinates: [longitude: number, latitude: number][][][] }",
  'Edm.GeographyCollection': "{ type: 'GeometryCollection'; geometries: object[] }",
  'Edm.Geometry': 'object',
  'Edm.GeometryLineString': "{ type: 'LineString'; coordinates: [x: number, y: number][] }",
  'Edm.GeometryPolygon': "{ type: 'Polygon'; coordinates: [x: number, y: number][][] }",
  'Edm.GeometryMultiPoint': "{ type: 'MultiPoint'; coordinates: [x: number, y: number][] }",
  'Edm.GeometryMultiLineString': "{ type: 'MultiLineString'; coordinates: [x: number, y: number][][] }",
  'Edm.GeometryMultiPolygon': "{ type: 'MultiPolygon'; coordinates: [x: number, y: number][][][] }",
  'Edm.GeometryCollection': "{ type: 'GeometryCollection'; geometries: object[] }",
  'Edm.Untyped': 'unknown',
  'Edm.ComplexType': 'object',
};

/** The union of a property's allowed values. */
export function unionOf({ name, unionName, field }: FieldNode): readonly StatementStructures[] {
  if (unionName === undefined) return [];
  const values = field.allowedValues ?? [];
  const type = values.length === 0 ? 'never' : values.map((value) => `\n| ${printLiteral(unionValue(field, value))}`).join('');
  return [exportedType(unionName, [docText(`The values of ${name}`)], type)];
}

/** An allowed value as in TypeScript. */
export function unionValue({ type }: Field, text: string): string | number {
  return primitives[type].cell === 'number' ? Number(text) : text;
}

/** The complex types of a model. */
export type ComplexTypes = readonly ComplexNode[];

/** The complex type of a property's values. */
export function complexOf({ field }: FieldNode, complexTypes: ComplexTypes): ComplexNode | undefined {
  return complexNamed(field.complex, complexTypes);
}

/** The complex type with the qualified name. */
export function complexNamed(name: string | undefined, complexTypes: ComplexTypes): ComplexNode | undefined {
  return name === undefined ? undefined : byName(complexTypes).get(name);
}

const byName = memoized((complexTypes: ComplexTypes) => new Map(complexTypes.map((type) => [type.qualifiedName, type])));

/** The type of a property's values as they are read. */
export function typeOf(node: FieldNode, complexTypes: ComplexTypes): string {
  return withNull(
    node,
    node.enumeration?.typeName ?? node.unionName ?? complexOf(node, complexTypes)?.typeName ?? primitiveTypeOf(node.field),
  );
}

function primitiveTypeOf({ type, shape, srid }: Field): string {
  const printed = primitiveTypes[shape ?? type];
  return srid === 'variable' ? `${printed} & { crs?: { type: 'name'; properties: { name: string } } }` : printed;
}

/** The type of values of a property, which may be many, or null. */
export function withNull({ field }: FieldNode, base: string): string {
  if (field.collection) return field.nullableItems ? `(${base} | null)[]` : base.includes(' & ') ? `(${base})[]` : `${base}[]`;
  return field.nullable ? `${base} | null` : base;
}

/** Whether a property has decimals or 64-bit numbers. */
export function isNumber({ field, enumeration, unionName }: FieldNode): boolean {
  return (enumeration ?? unionName ?? field.complex) === undefined && primitiveTypes[field.type] === numberParameter;
}

/** The type of a part of a key that is a number, or lies within a complex value. */
export function keyType({ field, enumeration }: Pick<KeyColumn, 'field' | 'enumeration'>): string {
  return enumeration?.typeName ?? primitiveTypes[field.type];
}

/** Names as a union of literals. */
export function union(names: readonly string[]): string {
  return names.map(printString).join(' | ');
}

type StreamMember = { name: string; hasQuestionToken: true; type: string; docs: string[] };

/** The annotations of a media stream in answers; its bytes have their own address. */
export function streamMembers({ name, description }: Pick<StreamNode, 'name' | 'description'>): StreamMember[] {
  const owner = name === mediaStream ? '' : name;
  const what = description ?? (owner === '' ? 'The media stream of the record' : `The media stream ${name}`);
  const member = (fact: string, doc: string): StreamMember => ({
    name: printPropertyName(`${owner}@odata.${fact}`),
    hasQuestionToken: true,
    type: 'string',
    docs: docs(docText(what, doc)),
  });
  return [member('mediaContentType', 'Its media type; absent without a stream'), member('mediaEtag', 'Its ETag, for If-Match')];
}

/** The index signature of an open type. */
export function dynamicMembers({ open }: { readonly open: boolean }): {
  readonly indexSignatures?: { keyName: string; keyType: string; returnType: string }[];
} {
  return open ? { indexSignatures: [{ keyName: 'dynamicProperty', keyType: 'string', returnType: 'unknown' }] } : {};
}

/** A comment of several lines starts on a new line; none for an empty text. */
export function docs(text: string): string[] {
  return text === '' ? [] : [text.includes('\n') ? `\n${text}` : text];
}
