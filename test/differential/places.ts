import type { Value } from './values.js';

/** A place on a map, in degrees: longitude first. */
type Place = readonly [longitude: number, latitude: number];

/** A box between two corners. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/** The place that a text of the database stands for; null is none. */
function placeOf(value: Value): Place | null {
  const [, longitude, latitude] = /^\((.*),(.*)\)$/.exec(typeof value === 'string' ? value : '') ?? [];
  return longitude === undefined || latitude === undefined ? null : [Number(longitude), Number(latitude)];
}

/** Metres between two places on a sphere, by the spherical law of cosines; zero where they are the same. */
export function metresBetween(left: Value, right: Value): number | null {
  const [a, b] = [placeOf(left), placeOf(right)];
  if (a === null || b === null) return null;
  if (a[0] === b[0] && a[1] === b[1]) return 0;
  const [one, other] = [radians(a[1]), radians(b[1])];
  const cosine = Math.sin(one) * Math.sin(other) + Math.cos(one) * Math.cos(other) * Math.cos(radians(a[0] - b[0]));
  return 6_371_008.8 * Math.acos(Math.min(1, Math.max(-1, cosine)));
}

/** Whether a place is within a box; no place that is generated is on the edge of one. */
export function isInside(value: Value, [west, south, east, north]: Box): boolean | null {
  const place = placeOf(value);
  return place && place[0] > west && place[0] < east && place[1] > south && place[1] < north;
}

/** A place as a literal. */
export function placeLiteral(value: string): string {
  return `geography'SRID=4326;POINT(${value.slice(1, -1).replace(',', ' ')})'`;
}

/** A box as a polygon, which goes against the clock. */
export function boxLiteral([west, south, east, north]: Box): string {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ].map((corner) => corner.join(' '));
  return `geography'SRID=4326;POLYGON((${ring.join(',')}))'`;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
