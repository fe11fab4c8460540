import { errors } from '../../errors/catalogue.js';
import { isArray, isNumber, isObject, type Json } from '../../json/json.js';
import type { TypedLiteral } from '../typed-expr.js';
import { parseWellKnownText } from './well-known-text.js';

const srids = { 'Edm.Geography': '4326', 'Edm.Geometry': '0' } as const;
/** Well-known text of a geo literal (URL conventions 5.1.1.11, ABNF fullPointLiteral) as PostgreSQL's own shapes. */
export function parseGeoLiteral(text: string, family: keyof typeof srids, option: string): TypedLiteral {
  const { type, coordinates } = parseGeo(text, family, option);
  if (type === 'Point') return pointLiteral(`(${pairText(coordinates)})`, family, option);
  if (type === 'LineString') return { kind: 'literal', type: 'line', nullable: false, value: lineText(coordinates) };
  if (type !== 'Polygon') throw errors.typeMismatch(`No function takes a ${type}; geo.intersects takes a point and a polygon.`).at(option);
  const [outer = '', ...holes] = itemsOf(coordinates).map(lineText);
  return { kind: 'literal', type: 'polygon', nullable: false, value: outer, ...(holes.length > 0 && { holes }) };
}

/** The same as GeoJSON. */
export function parseGeoValue(text: string, family: keyof typeof srids, option: string): Json {
  return parseGeo(text, family, option).shape;
}

interface Geo {
  readonly type: string;
  readonly coordinates: Json;
  readonly shape: Json;
}

function parseGeo(text: string, family: keyof typeof srids, option: string): Geo {
  const { srid = srids[family], shape } = parseWellKnownText(text) ?? {};
  if (shape === undefined || !isObject(shape)) throw geoError(text, option);
  if (family === 'Edm.Geography' && srid !== '4326') {
    throw errors.typeMismatch(`SRID ${srid} is not offered; geography values are longitude and latitude, SRID 4326.`).at(option);
  }
  return { type: String(shape.members.get('type')), coordinates: shape.members.get('coordinates') ?? null, shape };
}

function pointLiteral(value: string, family: keyof typeof srids, option: string): TypedLiteral {
  if (family === 'Edm.Geometry') return { kind: 'literal', type: 'Edm.GeometryPoint', nullable: false, value };
  const fault = placeFault(value);
  if (fault !== undefined) throw errors.typeMismatch(`${value} is no place on earth${fault}.`).at(option);
  return { kind: 'literal', type: 'Edm.GeographyPoint', nullable: false, value };
}

/** What is wrong with `(longitude,latitude)`, as the end of a sentence; the two are easily swapped. */
export function placeFault(value: string): string | undefined {
  const [longitude = 0, latitude = 0] = value.slice(1, -1).split(',').map(Number);
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? undefined : ': longitude comes first, from -180 to 180, then latitude, from -90 to 90';
}

function lineText(line: Json): string {
  return `(${itemsOf(line).map((position) => `(${pairText(position)})`).join(',')})`;
}

function pairText(position: Json): string {
  return itemsOf(position).map((item) => (isNumber(item) ? item.text : '')).join(',');
}

function itemsOf(json: Json): readonly Json[] {
  return isArray(json) ? json.items : [];
}

function geoError(text: string, option: string): Error {
  return errors.typeMismatch(
    `'${text}' is not a point, line string, polygon or several of them; write geography'SRID=4326;POINT(-79.38 43.65)', longitude first.`,
  ).at(option);
}
