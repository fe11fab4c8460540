import type { Met } from './clients.js';
import { eventLoopLimit, figures, isWithin } from './figures.js';
import type { Samples } from './samples.js';
import { trendOf, type Point } from './trend.js';

/** Prints the slopes and the answers; 0 where nothing grew and everything was answered rightly. */
export function report(samples: Samples, { statuses, faults }: Met): number {
  const grown = [...samples].filter(([name, points]) => !printTrend(name, points));
  const loop = middle((samples.get('event loop p99, ms') ?? []).map(({ value }) => value));
  console.log(`event loop p99: ${loop.toFixed(1)} ms in the median (limit ${eventLoopLimit} ${loop < eventLoopLimit ? 'ok' : '--'})`);
  console.log(
    `answers by status: ${[...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')}`,
  );
  console.log(
    faults.length === 0 ? 'none was answered wrongly' : `${faults.length} were answered wrongly:\n${faults.slice(0, 10).join('\n')}`,
  );
  return grown.length === 0 && loop < eventLoopLimit && faults.length === 0 ? 0 : 1;
}

function printTrend(name: string, points: readonly Point[]): boolean {
  const trend = trendOf(points);
  const limit = limits.get(name);
  const within = isWithin(trend, limit);
  const { first, last, slope, uncertainty } = trend;
  const judged = limit === undefined ? '' : `limit ${limit} an hour ${within ? 'ok' : '--'}`;
  console.log(
    `${name.padEnd(28)} ${first.toFixed(1).padStart(8)} to ${last.toFixed(1).padStart(8)}  ${slope.toFixed(2).padStart(9)} an hour, give or take ${uncertainty.toFixed(2).padStart(7)}  ${judged}`,
  );
  return within;
}

const limits: ReadonlyMap<string, number | undefined> = new Map([
  ...figures.map(({ name, limit }) => [name, limit] as const),
  ['sessions of the database', 1],
]);

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
