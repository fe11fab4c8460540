/** The radius of the sphere that `geo.distance` and `geo.length` measure on: the Earth's mean radius, in metres. */
export const earthRadius = 6_371_008.8;

/** An angle in radians. */
export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
