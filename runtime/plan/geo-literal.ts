import { errors } from '../errors/catalogue.js';
import type { TypedLiteral } from './typed-expr.js';

const srids = { 'Edm.Geography': '4326', 'Edm.Geometry': '0' } as const;
const shape = /^(?:SRID=(\d{1,6});)?\s*(Point|Polygon|LineString)\s*\(([-+0-9.eE,() ]*)\)$/i;
const pair = /^\s*([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)\s+([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)\s*$/;

/** Well-known text of a geo literal (URL conventions 5.1.1.11, ABNF fullPointLiteral) as PostgreSQL's own shapes. */
export function parseGeoLiteral(text: string, family: keyof typeof srids, option: string): TypedLiteral {
  const [, srid = srids[family], kind = '', body = ''] = shape.exec(text) ?? [];
  if (kind === '') throw geoError(text, option);
  if (family === 'Edm.Geography' && srid !== '4326') {
    throw errors.typeMismatch(`SRID ${srid} is not offered; geography values are longitude and latitude, SRID 4326.`).at(option);
  }
  switch (kind.toLowerCase()) {
    case 'point':
      return pointLiteral(point(body, text, option), family, option);
    case 'linestring':
      return { kind: 'literal', type: 'line', nullable: false, value: ring(body, text, option) };
    default:
      return polygon(body, text, option);
  }
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

function polygon(body: string, text: string, option: string): TypedLiteral {
  const rings = /^\s*\([^()]*\)(\s*,\s*\([^()]*\))*\s*$/.test(body) ? body.match(/\([^()]*\)/g) : null;
  const [outer, ...holes] = (rings ?? []).map((part) => ring(part.slice(1, -1), text, option));
  if (outer === undefined) throw geoError(text, option);
  return { kind: 'literal', type: 'polygon', nullable: false, value: outer, ...(holes.length > 0 && { holes }) };
}

function ring(body: string, text: string, option: string): string {
  return `(${body.split(',').map((part) => point(part, text, option)).join(',')})`;
}

function point(body: string, text: string, option: string): string {
  const [, x, y] = pair.exec(body) ?? [];
  if (x === undefined || y === undefined) throw geoError(text, option);
  return `(${x},${y})`;
}

function geoError(text: string, option: string): Error {
  return errors.typeMismatch(
    `'${text}' is not a point, line string or polygon; write geography'SRID=4326;POINT(-79.38 43.65)', longitude first.`,
  ).at(option);
}
