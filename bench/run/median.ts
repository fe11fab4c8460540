/** The value in the middle, or between the two that are; undefined of none. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)];
  return sorted.length === 0 ? undefined : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
