import { errors } from '../../errors/catalogue.js';
import { isArray, isNumber, isObject, type Json, type JsonObject } from '../../json/json.js';
import type { TypedLiteral } from '../typed-expr.js';
import { crsOf } from './reference-system.js';
import { parseWellKnownText } from './well-known-text.js';

type GeoFamily = 'Edm.Geography' | 'Edm.Geometry';

/**
 * Parses the well-known text of a geo literal (URL conventions 5.1.1.11, ABNF fullPointLiteral) as PostgreSQL's shape.
 */
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

function pairText(position: Json): string {
  return itemsOf(position)
    .map((item) => (isNumber(item) ? item.text : ''))
    .join(',');
}

function itemsOf(json: Json): readonly Json[] {
  return isArray(json) ? json.items : [];
}

function geoError(text: string, option: string): Error {
  return errors
    .typeMismatch(
      `'${text}' is not a point, line string, polygon or several of them; write geography'SRID=4326;POINT(-79.38 43.65)', longitude first.`,
    )
    .at(option);
}
