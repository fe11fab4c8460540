import { keepResults } from './keep-results.js';
import type { LatePage } from './late-page.js';
import type { MemoryResult } from './memory.js';
import { latePageTarget } from './targets.js';
import type { Summary } from './summary.js';

const columns = [
  '',
  'clients',
  'server',
  'per second',
  'p50 ms',
  'p99 ms',
  'node ms',
  'pg ms',
  'peak MB',
  'bytes',
  'cpu',
  'ratio',
  'target',
];
const widths = [4, 7, 6, 10, 9, 9, 8, 8, 8, 9, 6, 6, 8];

/** The table's head. */
export function tableHead(): string {
  return row(columns);
}

/** A workload's lines of the table. */
export function tableRows({ workload, clients, servers, ratio, target, cpuRatio }: Summary): string {
  const lines = Object.entries(servers).map(([name, round]) => {
    const measured = [
      round.throughput.toFixed(0),
      ...[round.p50, round.p99, round.nodeCpu, round.postgresCpu].map(milliseconds),
      round.peakMegabytes?.toFixed(0) ?? '',
      round.bytesPerRequest.toFixed(0),
    ];
    const judged = name === 'Gable' ? [cpuRatio?.toFixed(2) ?? '', ratio?.toFixed(2) ?? '', verdict(ratio, target)] : ['', '', ''];
    const late =
      round.latePage &&
      `     page ${round.latePage.page} costs ${round.latePage.ratioToSecond.toFixed(2)} of page 2 (target ${latePageTarget})\n`;
    return row([workload, String(clients), name, ...measured, ...judged]) + (late ?? '');
  });
  return lines.join('');
}

function verdict(ratio: number | undefined, target: number | undefined): string {
  if (ratio === undefined || target === undefined) return '';
  return `${target.toFixed(2)} ${ratio >= target ? 'ok' : '--'}`;
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(value < 10 ? 3 : 1);
}

function row(cells: readonly string[]): string {
  return `${cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0))).join(' ')}\n`;
}

/** The line for a memory case. */
export function memoryLine({ name, bytes, idle, peak, overIdle, target }: MemoryResult): string {
  const verdict = overIdle <= target ? 'ok' : '--';
  return `${name.padEnd(32)} ${(bytes / 1e6).toFixed(1).padStart(5)} MB each: ${idle.toFixed(0)} MB idle, ${peak.toFixed(0)} MB at most, ${overIdle.toFixed(1).padStart(5)} MB over idle (target ${target} ${verdict})\n`;
}

/** The line for late pages. */
export function latePageLine({ page, size, secondMilliseconds, lateMilliseconds }: LatePage): string {
  const ratio = lateMilliseconds / secondMilliseconds;
  return `page ${page} of ${size} records: ${lateMilliseconds.toFixed(2)} ms, page 2: ${secondMilliseconds.toFixed(2)} ms, ${ratio.toFixed(2)} of it (target ${latePageTarget} ${ratio <= latePageTarget ? 'ok' : '--'})\n`;
}

/** Under which circumstances the figures came about. */
interface Circumstances {
  readonly postgres: string;
  readonly listings: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly pinned: boolean;
}

/** The measurements of a run. */
interface Measured {
  readonly results: readonly Summary[];
  readonly latePage: LatePage | undefined;
  readonly memory: readonly MemoryResult[];
}

/** Keeps the figures under the time at which they were finished; returns the file. */
export function writeResults(circumstances: Circumstances, { results, latePage, memory }: Measured): string {
  return keepResults('', { ...circumstances, results, ...(latePage && { latePage }), ...(memory.length > 0 && { memory }) });
}
