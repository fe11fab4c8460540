import type { Site } from './outside.js';
import type { Service } from './service.js';

/** Work of a feature while a service runs. */
export interface Background {
  /** Ends the work, at the latest after the given milliseconds. */
  readonly stop: (timeout: number) => Promise<void>;
}

/** Writes a line to the service's log. */
export type Log = (level: 'info' | 'warn' | 'error', data: object, message: string) => void;

/** Sets or counts a metric with these labels. */
export type Meter<Labels extends string> = (labels: Readonly<Record<Labels, string>>, value?: number) => void;

/** Metrics of features. Those of several processes are added up, gauges excepted: of these the largest counts. */
export interface Meters {
  readonly counter: <const Labels extends string>(name: string, help: string, labels: readonly Labels[]) => Meter<Labels>;
  readonly gauge: <const Labels extends string>(name: string, help: string, labels: readonly Labels[]) => Meter<Labels>;
}

/** The parts of the service that background work uses. */
export interface Surroundings {
  readonly site: Site;
  readonly service: Service;
  readonly log: Log;
  readonly meters: Meters;
  /** Whether all connections to the database are in use; work that can wait should. */
  readonly isBusy: () => boolean;
}

type StartBackground = (surroundings: Surroundings) => Background | undefined;

const starters: StartBackground[] = [];

/** Adds the background work of a feature, where the function starts some for a service. */
export function registerBackground(start: StartBackground): void {
  if (!starters.includes(start)) starters.push(start);
}

/** Starts the background work of all features. */
export function startBackgrounds(surroundings: Surroundings): Background {
  const started = starters.flatMap((start) => start(surroundings) ?? []);
  return {
    stop: async (timeout) => {
      await Promise.all(started.map(({ stop }) => stop(timeout)));
    },
  };
}
