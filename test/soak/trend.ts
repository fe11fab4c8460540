/** How a figure changes with time. */
export interface Trend {
  readonly first: number;
  readonly last: number;
  /** Of the line through the lowest values of each window, by the hour. */
  readonly slope: number;
  /** Twice the standard error of that slope. */
  readonly uncertainty: number;
}

/** A figure at a time, in hours. */
export interface Point {
  readonly time: number;
  readonly value: number;
}

// Enough for a line to be significant, few enough that each has several garbage collections.
const windows = 20;

/** The trend of what is never lower than what is really held: memory between two collections of garbage, for one. */
export function trendOf(points: readonly Point[]): Trend {
  const [begin, end] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0];
  const lowest = Array.from({ length: windows }, (_, index) =>
    lowestOf(points.filter(({ time }) => Math.min(windows - 1, Math.floor(((time - begin) / (end - begin)) * windows)) === index)),
  );
  const known = lowest.filter((point) => point !== undefined);
  return { first: known[0]?.value ?? Number.NaN, last: known.at(-1)?.value ?? Number.NaN, ...lineThrough(known) };
}

function lowestOf(points: readonly Point[]): Point | undefined {
  return points.reduce<Point | undefined>(
    (lowest, point) => (lowest === undefined || point.value < lowest.value ? point : lowest),
    undefined,
  );
}

// Least squares.
function lineThrough(points: readonly Point[]): Pick<Trend, 'slope' | 'uncertainty'> {
  const count = points.length;
  const mean = (value: (point: Point) => number): number => points.reduce((sum, point) => sum + value(point), 0) / count;
  const [time, height] = [mean((point) => point.time), mean((point) => point.value)];
  const spread = points.reduce((sum, point) => sum + (point.time - time) ** 2, 0);
  const slope = points.reduce((sum, point) => sum + (point.time - time) * (point.value - height), 0) / spread;
  const rest = points.reduce((sum, point) => sum + (point.value - height - slope * (point.time - time)) ** 2, 0);
  return { slope, uncertainty: 2 * Math.sqrt(rest / (count - 2) / spread) };
}
