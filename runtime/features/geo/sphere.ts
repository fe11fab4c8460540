/** The radius of the sphere that `geo.distance` and `geo.length` measure on: the Earth's mean radius, in metres. */
export const earthRadius = 6_371_008.8;

/** An angle in radians. */
export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

const angle = (point: string, axis: 0 | 1): string => `radians((${point})[${axis}])`;
const half = (axis: 0 | 1): string => `power(sin((${angle('{1}', axis)} - ${angle('{0}', axis)}) / 2), 2)`;

/** Great-circle distance on the mean sphere, at most 0.3 % from the ellipsoid. `least` skips null, so null is handled separately. */
export const haversine = `(case when {0} is not null and {1} is not null then ${2 * earthRadius} * asin(least(1, sqrt(${half(1)} + cos(${angle('{0}', 1)}) * cos(${angle('{1}', 1)}) * ${half(0)}))) end)`;
