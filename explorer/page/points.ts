import type { Row } from './state.js';

/** A place of a record, as longitude and latitude. */
export type Point = readonly [longitude: number, latitude: number];

/** The first point of a record: a GeoJSON value, or a pair of numbers named as latitude and longitude. */
export function findPoint(row: Row): Point | undefined {
  for (const value of Object.values(row)) {
    const { type, coordinates } = (value ?? {}) as { readonly type?: unknown; readonly coordinates?: readonly unknown[] };
    const [longitude, latitude] = type === 'Point' && Array.isArray(coordinates) ? coordinates : [];
    if (typeof longitude === 'number' && typeof latitude === 'number') return [longitude, latitude];
  }
  const [longitude, latitude] = [row['Longitude'], row['Latitude']];
  return typeof longitude === 'number' && typeof latitude === 'number' ? [longitude, latitude] : undefined;
}
