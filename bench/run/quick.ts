import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Summary } from './summary.js';

/** Ratios by processor time, by workload: noise of the machine moves them least. */
export interface Ratios {
  readonly [workload: string]: number;
}

const file = join('bench', 'quick.json');

/** A ratio may fall by this much before it is reported. */
const allowedFall = 0.08;

/** Compares the ratios of a quick run with the kept ones, or keeps them. A fall is reported and is no failure. */
export function compareQuickly(results: readonly Summary[], work: 'compare' | 'keep'): void {
  const ratios: Ratios = Object.fromEntries(results.map(({ workload, cpuRatio }) => [workload, Number((cpuRatio ?? 0).toFixed(2))]));
  if (work === 'keep') writeFileSync(file, `${JSON.stringify(ratios, undefined, 2)}\n`);
  else process.stdout.write(comparison(JSON.parse(readFileSync(file, 'utf8')) as Ratios, ratios));
}

/** A line for each ratio that fell; one line if none did. */
export function comparison(kept: Ratios, measured: Ratios): string {
  const lines = Object.entries(measured).flatMap(([workload, ratio]) => {
    const before = kept[workload];
    return before !== undefined && before - ratio > allowedFall + 1e-9
      ? [`${workload}: the ratio by processor time fell from ${before.toFixed(2)} to ${ratio.toFixed(2)}.\n`]
      : [];
  });
  return lines.length > 0 ? lines.join('') : `No ratio by processor time fell by more than ${allowedFall}.\n`;
}
