import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { residentMemory, usageOf } from './processes.js';
import type { BenchServer } from './servers.js';
import type { Summary } from './summary.js';

/** Ratios by processor time, by workload: noise of the machine moves them least. */
export interface Ratios {
  readonly [workload: string]: number;
}

const file = join('bench', 'quick.json');

/** A ratio may fall by this much before it is reported. */
const allowedFall = 0.08;

/** The most that a start may take: milliseconds of processor time, and megabytes before the first request. */
const startTargets = { milliseconds: 400, megabytes: 95 } as const;

/** The processor time and the memory of a server that just began to serve; empty where the system does not tell. */
export function startLine({ pid }: BenchServer): string {
  const [milliseconds, megabytes] = [usageOf(pid, undefined).node, residentMemory(pid)];
  if (milliseconds === undefined || megabytes === undefined) return '';
  return `Start: ${milliseconds} ms of processor time ${verdict(milliseconds, startTargets.milliseconds)}, ${megabytes.toFixed(0)} MB ${verdict(megabytes, startTargets.megabytes)}\n\n`;
}

function verdict(value: number, target: number): string {
  return `(target ${target} ${value <= target ? 'ok' : '--'})`;
}

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
