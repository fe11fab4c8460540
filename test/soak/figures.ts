import type { Trend } from './trend.js';

/** Something of the service that must not grow. */
interface Figure {
  readonly name: string;
  /** The name of the metric, with its labels. */
  readonly metric: string;
  readonly scale: number;
  /** The permitted growth per hour in its unit; undefined where it is only printed. */
  readonly limit: number | undefined;
}

/** The watched figures, from the service's metrics. */
export const figures: readonly Figure[] = [
  { name: 'resident memory, MB', metric: 'process_resident_memory_bytes', scale: 1e-6, limit: 1 },
  { name: 'heap, MB', metric: 'nodejs_heap_size_used_bytes', scale: 1e-6, limit: 1 },
  { name: 'external memory, MB', metric: 'nodejs_external_memory_bytes', scale: 1e-6, limit: 1 },
  { name: 'handles and timers', metric: 'nodejs_active_resources_total', scale: 1, limit: 1 },
  { name: 'open files and sockets', metric: 'process_open_fds', scale: 1, limit: 1 },
  { name: 'database connections in use', metric: 'gable_database_connections{state="using"}', scale: 1, limit: 1 },
  { name: 'idle database connections', metric: 'gable_database_connections{state="available"}', scale: 1, limit: 1 },
  { name: 'event loop p99, ms', metric: 'nodejs_eventloop_lag_p99_seconds', scale: 1e3, limit: undefined },
];

/** The 99th percentile of the event loop's delay may be so many milliseconds, in the median of all samples. */
export const eventLoopLimit = 50;

/** Reads a figure out of the text of `/metrics`; undefined where the system does not tell. */
export function readFigure({ metric, scale }: Figure, text: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${metric} `));
  return line === undefined ? undefined : Number(line.slice(metric.length + 1)) * scale;
}

/** Whether growth stays within a limit; a slope that chance could make of none is no growth. */
export function isWithin({ slope, uncertainty }: Trend, limit: number | undefined): boolean {
  return limit === undefined || slope - uncertainty <= limit;
}
