import type { Json } from '../../json/json.js';

/** A small GeoJSON shape; the index determines its location. */
export function sampleShape(type: string, index: number): Json {
  if (type === 'GeometryCollection')
    return object(type, 'geometries', array([sampleShape('Point', index), sampleShape('LineString', index)]));
  const line = array(corners.slice(0, 2).map((corner) => positionOf(corner, index)));
  const ring = array(corners.map((corner) => positionOf(corner, index)));
  const coordinates: { readonly [type: string]: Json } = {
    Point: positionOf([0, 0], index),
    MultiPoint: line,
    LineString: line,
    MultiLineString: array([line]),
    Polygon: array([ring]),
    MultiPolygon: array([array([ring])]),
  };
  return object(type, 'coordinates', coordinates[type] ?? null);
}

type Corner = readonly [x: number, y: number];

/** A closed square. */
const corners: readonly Corner[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
];

function positionOf([x, y]: Corner, index: number): Json {
  const step = (index % 90) / 2;
  return array([-80 + step + x / 10, 43 + step + y / 10].map((number) => ({ kind: 'number', text: String(Number(number.toFixed(1))) })));
}

function array(items: readonly Json[]): Json {
  return { kind: 'array', items };
}

function object(type: string, member: string, value: Json): Json {
  return {
    kind: 'object',
    members: new Map([
      ['type', type],
      [member, value],
    ]),
  };
}
