import type { RoundResult } from './task.js';

/** Collects the latencies of a round; before it is started it only lets requests pass. */
export interface Recorder {
  readonly start: () => void;
  readonly add: (milliseconds: number, bytes: number, units: number) => void;
  readonly addPage: (page: number, milliseconds: number) => void;
  readonly result: () => RoundResult;
}

/** Keeps every latency, so that the percentiles are exact. */
export function recorder(): Recorder {
  const latencies: number[] = [];
  const pages: number[][] = [];
  let started = 0;
  let last = 0;
  let [bytes, units] = [0, 0];
  return {
    start: () => void (started = performance.now()),
    add: (milliseconds, size, count) => {
      if (started === 0) return;
      latencies.push(milliseconds);
      last = performance.now();
      bytes += size;
      units += count;
    },
    addPage: (page, milliseconds) => {
      if (started > 0) (pages[page] ??= []).push(milliseconds);
    },
    result: () => ({ requests: latencies.length, units, elapsed: last - started, ...percentiles(latencies), bytes, ...latePages(pages) }),
  };
}

function percentiles(latencies: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

/** The page whose cost is compared with the second page's, where a walk goes so far. */
const latePage = 900;

// The last page may not be full, so the one before it is the latest that compares.
function latePages(pages: readonly (readonly number[])[]): Pick<RoundResult, 'pages'> | undefined {
  const page = Math.min(latePage, pages.length - 2);
  // A short round may begin and end after the second page.
  const second = pages[2];
  if (page < 3 || second === undefined) return undefined;
  return { pages: { second: percentiles(second).p50, late: percentiles(pages[page] ?? []).p50, latePage: page } };
}
