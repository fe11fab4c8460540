/** Beyond it, two samples are held to come from distributions of different means; the usual threshold of leakage tests. */
export const telling = 4.5;

/** Welch's t of two samples: how far their means are apart, in units of what chance would make of it. */
export function welch(one: readonly number[], other: readonly number[]): number {
  const [first, second] = [momentsOf(one), momentsOf(other)];
  const spread = first.variance / one.length + second.variance / other.length;
  if (spread === 0) return first.mean === second.mean ? 0 : Infinity;
  return (first.mean - second.mean) / Math.sqrt(spread);
}

/** Both samples without what is slower than most of either: pauses of the machine, which hide what a request takes. */
export function withoutPauses(one: readonly number[], other: readonly number[]): readonly [readonly number[], readonly number[]] {
  const all = [...one, ...other].toSorted((a, b) => a - b);
  const limit = all[Math.floor(all.length * 0.9)] ?? Infinity;
  return [one.filter((time) => time <= limit), other.filter((time) => time <= limit)];
}

function momentsOf(sample: readonly number[]): { readonly mean: number; readonly variance: number } {
  const mean = sample.reduce((sum, value) => sum + value, 0) / sample.length;
  return { mean, variance: sample.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sample.length - 1) };
}
