import { errors } from '../../errors/catalogue.js';
import { isArray, isNumber, isObject, type Json, type JsonObject, jsonObject } from '../../json/json.js';
import type { TypedLiteral } from '../../plan/typed-expr.js';
import { crsOf } from './geo-json.js';

/** A shape with its reference system. */
interface WellKnown {
  readonly srid: string | undefined;
  /** As GeoJSON. */
  readonly shape: Json;
}

/** The nesting of positions in well-known text; 1 for a point. */
const depths: readonly (readonly [name: string, depth: number])[] = [
  ['Point', 0],
  ['LineString', 1],
  ['MultiPoint', 1],
  ['Polygon', 2],
  ['MultiLineString', 2],
  ['MultiPolygon', 3],
];

const start = /^\s*(?:SRID=(\d{1,6});)?/i;
const token = /\s*(?:([A-Za-z]+)|([(),])|([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)(?=[\s,)]))/y;

/** Parses well-known text (URL conventions 5.1.1.11, ABNF rules fullPointLiteral to fullMultiPolygonLiteral); undefined for other text. */
export function parseWellKnownText(text: string): WellKnown | undefined {
  const [prefix = '', srid] = start.exec(text) ?? [];
  const reader = readerOf(text, prefix.length);
  const shape = readShape(reader);
  return shape === undefined || !reader.isAtEnd() ? undefined : { srid, shape };
}

interface Reader {
  /** Takes the next piece if it matches. */
  readonly take: (wanted: RegExp) => string | undefined;
  readonly isAtEnd: () => boolean;
}

function readerOf(text: string, from: number): Reader {
  let at = from;
  const take = (wanted: RegExp): string | undefined => {
    token.lastIndex = at;
    const [whole = '', word, mark, number] = token.exec(text) ?? [];
    const piece = word ?? mark ?? number;
    if (piece === undefined || !wanted.test(piece)) return undefined;
    at += whole.length;
    return piece;
  };
  return { take, isAtEnd: () => text.slice(at).trim() === '' };
}

function readShape(reader: Reader): Json | undefined {
  const word = reader.take(/^[A-Za-z]/)?.toLowerCase();
  const readShapes = (): Json | undefined => readList(reader, () => readShape(reader));
  if (word === 'collection') return withMembers('GeometryCollection', 'geometries', readShapes());
  const [name, depth] = depths.find(([known]) => known.toLowerCase() === word) ?? [];
  if (name === undefined || depth === undefined) return undefined;
  // A single point is in parentheses, and so is each one of several.
  return withMembers(
    name,
    'coordinates',
    name === 'MultiPoint' ? readList(reader, () => readPoint(reader)) : depth === 0 ? readPoint(reader) : readPositions(reader, depth),
  );
}

function withMembers(type: string, member: string, value: Json | undefined): Json | undefined {
  if (value === undefined) return undefined;
  return jsonObject([
    ['type', type],
    [member, value],
  ]);
}

function readPoint(reader: Reader): Json | undefined {
  const position = reader.take(/^\($/) && readPosition(reader);
  return position && reader.take(/^\)$/) ? position : undefined;
}

function readPositions(reader: Reader, depth: number): Json | undefined {
  return readList(reader, () => (depth === 1 ? readPosition(reader) : readPositions(reader, depth - 1)));
}

function readPosition(reader: Reader): Json | undefined {
  const [x, y] = [reader.take(/\d/), reader.take(/\d/)];
  if (x === undefined || y === undefined) return undefined;
  return { kind: 'array', items: [x, y].map((text) => ({ kind: 'number', text: text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1') })) };
}

function readList(reader: Reader, readItem: () => Json | undefined): Json | undefined {
  const items: Json[] = [];
  if (reader.take(/^\($/) === undefined) return undefined;
  do {
    const item = readItem();
    if (item === undefined) return undefined;
    items.push(item);
  } while (reader.take(/^,$/));
  return reader.take(/^\)$/) === undefined ? undefined : { kind: 'array', items };
}

/** Prints GeoJSON as well-known text, with its reference system in front. */
export function printWellKnownText(shape: Json, srid: number): string {
  return `SRID=${srid};${printShape(shape)}`;
}

function printShape(shape: Json): string {
  if (!isObject(shape)) return '';
  const type = String(shape.members.get('type'));
  if (type === 'GeometryCollection') return `Collection(${itemsOf(shape.members.get('geometries')).map(printShape).join(',')})`;
  const coordinates = shape.members.get('coordinates') ?? null;
  if (type === 'Point') return `Point(${printPosition(coordinates)})`;
  return `${type}${
    type === 'MultiPoint'
      ? `(${itemsOf(coordinates)
          .map((item) => `(${printPosition(item)})`)
          .join(',')})`
      : printPositions(coordinates)
  }`;
}

function printPositions(json: Json): string {
  const items = itemsOf(json);
  return items.every(isNumber) ? printPosition(json) : `(${items.map(printPositions).join(',')})`;
}

function printPosition(json: Json): string {
  return pairText(json, ' ');
}

function pairText(position: Json, separator = ','): string {
  return itemsOf(position)
    .map((item) => (isNumber(item) ? item.text : ''))
    .join(separator);
}

function itemsOf(json: Json | undefined): readonly Json[] {
  return json !== undefined && isArray(json) ? json.items : [];
}

type GeoFamily = 'Edm.Geography' | 'Edm.Geometry';

/** Parses the well-known text of a geo literal (URL conventions 5.1.1.11, ABNF fullPointLiteral) as PostgreSQL's shape. */
export function parseGeoLiteral(text: string, family: GeoFamily, option: string): TypedLiteral {
  const { type, coordinates, srid } = parseGeo(text, family, option);
  const system = { ...(srid !== undefined && { srid }), ...(family === 'Edm.Geometry' && { flat: true as const }) };
  if (type === 'Point') return { kind: 'literal', type: `${family}Point`, nullable: false, value: `(${pairText(coordinates)})`, ...system };
  if (type === 'LineString') return { kind: 'literal', type: 'line', nullable: false, value: lineText(coordinates), ...system };
  if (type !== 'Polygon')
    throw errors.typeMismatch(`No function accepts a ${type}; geo.intersects needs a point and a polygon.`).at(option);
  const [outer = '', ...holes] = itemsOf(coordinates).map(lineText);
  return { kind: 'literal', type: 'polygon', nullable: false, value: outer, ...(holes.length > 0 && { holes }), ...system };
}

/** Parses the literal as GeoJSON with its reference system. */
export function parseGeoValue(text: string, family: GeoFamily, option: string): Json {
  const { shape, srid } = parseGeo(text, family, option);
  return srid === undefined ? shape : { ...shape, members: new Map([...shape.members, ['crs', crsOf(srid)]]) };
}

interface Geo {
  readonly type: string;
  readonly coordinates: Json;
  readonly shape: JsonObject;
  /** The literal's reference system; without one it has that of the other operand. */
  readonly srid: number | undefined;
}

function parseGeo(text: string, family: GeoFamily, option: string): Geo {
  const { srid, shape } = parseWellKnownText(text) ?? {};
  if (shape === undefined || !isObject(shape)) throw geoError(text, option);
  const geo: Geo = {
    type: String(shape.members.get('type')),
    coordinates: shape.members.get('coordinates') ?? null,
    shape,
    srid: srid === undefined ? undefined : Number(srid),
  };
  if (family === 'Edm.Geography' && (geo.srid ?? 4326) === 4326) requireOnEarth(geo, option);
  return geo;
}

function requireOnEarth({ type, coordinates }: Geo, option: string): void {
  const value = `(${pairText(coordinates)})`;
  const fault = type === 'Point' ? placeFault(value) : undefined;
  if (fault !== undefined) throw errors.typeMismatch(`${value} is not a place on earth${fault}.`).at(option);
}

/** The fault of `(longitude,latitude)`, as the end of a sentence; the two are easily swapped. */
export function placeFault(value: string): string | undefined {
  const [longitude = 0, latitude = 0] = value.slice(1, -1).split(',').map(Number);
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90
    ? undefined
    : ': longitude comes first, from -180 to 180, then latitude, from -90 to 90';
}

function lineText(line: Json): string {
  return `(${itemsOf(line)
    .map((position) => `(${pairText(position)})`)
    .join(',')})`;
}

function geoError(text: string, option: string): Error {
  return errors
    .typeMismatch(
      `'${text}' is not a point, line string, polygon or several of them; write geography'SRID=4326;POINT(-79.38 43.65)', longitude first.`,
    )
    .at(option);
}
