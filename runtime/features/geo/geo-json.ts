import { defaultSystem, type Field, type PrimitiveTypeName } from '../../edm/index.js';
import { isArray, isNumber, isObject, type Json, type JsonNumber, jsonObject } from '../../json/json.js';

/** A GeoJSON shape: the nesting of its positions, and the rules for the innermost lists (RFC 7946, 3.1). */
interface Shape {
  readonly depth: 0 | 1 | 2 | 3;
  readonly least?: number;
  readonly closed?: true;
}

const shapes: { readonly [type: string]: Shape | undefined } = {
  Point: { depth: 0 },
  MultiPoint: { depth: 1 },
  LineString: { depth: 1, least: 2 },
  MultiLineString: { depth: 2, least: 2 },
  Polygon: { depth: 2, least: 4, closed: true },
  MultiPolygon: { depth: 3, least: 4, closed: true },
};

/** Whether GeoJSON has shapes of this name. */
export function isShape(name: string): boolean {
  return name === 'GeometryCollection' || Object.hasOwn(shapes, name);
}

/** The GeoJSON name of a type's shapes; undefined for any shape. */
export function shapeName(type: PrimitiveTypeName): string | undefined {
  const name = type.replace(/^Edm\.(Geography|Geometry)/, '');
  return name === 'Collection' ? 'GeometryCollection' : name || undefined;
}

/** A GeoJSON value reduced to the members of shapes and those to keep; undefined if it is no value of the type. */
export function geoJson(type: PrimitiveTypeName, json: Json, kept: Members): Json | undefined {
  const name = shapeName(type);
  if (!isObject(json) || (name !== undefined && json.members.get('type') !== name)) return undefined;
  const shape = shapeOf(json.members);
  return shape && jsonObject([...shape, ...kept]);
}

type Members = readonly (readonly [string, Json])[];

function shapeOf(members: ReadonlyMap<string, Json>): Members | undefined {
  const type = members.get('type');
  if (type === 'GeometryCollection') return collectionOf(members.get('geometries'));
  const shape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  const coordinates = shape && positionsOf(members.get('coordinates'), shape.depth, shape);
  return coordinates === undefined
    ? undefined
    : [
        ['type', type ?? null],
        ['coordinates', coordinates],
      ];
}

function collectionOf(geometries: Json | undefined): Members | undefined {
  const items = listOf(geometries)?.map((item) => (isObject(item) ? shapeOf(item.members) : undefined));
  const sound = items?.filter((item) => item !== undefined);
  return sound === undefined || sound.length < (items?.length ?? 0)
    ? undefined
    : [
        ['type', 'GeometryCollection'],
        ['geometries', { kind: 'array', items: sound.map((members) => jsonObject(members)) }],
      ];
}

function positionsOf(json: Json | undefined, depth: number, shape: Shape): Json | undefined {
  if (depth === 0) return positionOf(json);
  const items = listOf(json)?.map((item) => positionsOf(item, depth - 1, shape));
  const sound = items?.filter((item) => item !== undefined);
  if (items === undefined || sound === undefined || sound.length < items.length) return undefined;
  return depth > 1 || isLine(sound, shape) ? { kind: 'array', items: sound } : undefined;
}

// A ring is closed.
function isLine(positions: readonly Json[], { least = 0, closed }: Shape): boolean {
  if (positions.length < least) return false;
  const [first = [], last = []] = [positions[0], positions.at(-1)].map(numbersOf);
  return !closed || first.every(({ text }, index) => Number(text) === Number(last[index]?.text));
}

function positionOf(json: Json | undefined): Json | undefined {
  const items = numbersOf(json);
  return items?.length === 2 ? { kind: 'array', items } : undefined;
}

function numbersOf(json: Json | undefined): readonly JsonNumber[] | undefined {
  const items = listOf(json);
  const numbers = items?.filter(isNumber);
  return numbers === undefined || numbers.length < (items?.length ?? 0) ? undefined : numbers;
}

function listOf(json: Json | undefined): readonly Json[] | undefined {
  return json !== undefined && isArray(json) ? json.items : undefined;
}

/** Whether a position has an altitude (RFC 7946, 3.1.1), which is not stored. */
export function hasAltitude(json: Json): boolean {
  if (isObject(json)) return ['coordinates', 'geometries'].some((name) => hasAltitude(json.members.get(name) ?? null));
  return isArray(json) && ((json.items.length > 2 && json.items.every(isNumber)) || json.items.some(hasAltitude));
}

/** All positions of a shape, in order. */
export function positionsWithin(shape: Json): readonly (readonly [string, string])[] {
  if (isObject(shape)) return [...shape.members.values()].flatMap(positionsWithin);
  if (!isArray(shape)) return [];
  const [x, y] = shape.items;
  return x !== undefined && y !== undefined && isNumber(x) && isNumber(y) ? [[x.text, y.text]] : shape.items.flatMap(positionsWithin);
}

/** The facets that determine the reference system of a property's shapes. */
type OfShapes = Pick<Field, 'type' | 'srid'>;

/** The reference system of a shape that may have its own; undefined for an invalid one. */
export function systemOfShape(type: string, shape: Json): number | undefined {
  const crs = isObject(shape) ? (shape.members.get('crs') ?? null) : null;
  return crs === null ? defaultSystem(type) : numberOf(crs);
}

/**
 * The fault of a shape's reference system, as the end of a sentence (JSON format 7.1: the member `crs` with an EPSG
 * number). Most properties have one system for all values, and only coordinates are stored.
 */
export function systemFault({ type, srid = defaultSystem(type) }: OfShapes, shape: Json): string | undefined {
  const crs = isObject(shape) ? (shape.members.get('crs') ?? null) : null;
  const stated = numberOf(crs);
  if (crs === null || (srid === 'variable' ? stated !== undefined : stated === srid)) return undefined;
  if (srid === 'variable') return `: write it as ${crsText('4326')}, with the number of the system`;
  return `: its coordinates are in SRID ${srid}; write ${crsText(String(srid))}, or omit crs`;
}

/** The `crs` member to store, where shapes have their own system and it is not the default. */
export function systemMember({ type, srid }: OfShapes, shape: Json): readonly (readonly [string, Json])[] {
  const stated = srid === 'variable' ? systemOfShape(type, shape) : undefined;
  return stated === undefined || stated === defaultSystem(type) ? [] : [['crs', crsOf(stated)]];
}

/** A reference system as JSON. */
export function crsOf(srid: number): Json {
  return jsonObject([
    ['type', 'name'],
    ['properties', jsonObject([['name', `EPSG:${srid}`]])],
  ]);
}

function crsText(number: string): string {
  return `{"type":"name","properties":{"name":"EPSG:${number}"}}`;
}

function numberOf(crs: Json): number | undefined {
  const properties = isObject(crs) && crs.members.get('type') === 'name' ? crs.members.get('properties') : undefined;
  const name = properties !== undefined && isObject(properties) ? properties.members.get('name') : undefined;
  const [, number] = typeof name === 'string' ? (/^EPSG:(\d{1,6})$/i.exec(name) ?? []) : [];
  return number === undefined ? undefined : Number(number);
}
