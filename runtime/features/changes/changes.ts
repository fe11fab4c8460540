import type { EntityContainer } from '../../edm/entity-container.js';
import { registerBackground, type Background, type Meters, type Surroundings } from '../../http/background.js';
import { sqlHooks } from '../../sql/hooks.js';
import { httpHooks } from '../../http/hooks.js';
import { lastMember, readTracked } from './delta/read-tracked.js';
import { withEvents } from './event-set.js';
import { logFollowers, logModel } from './log-changes.js';
import { setTimeout as delay } from 'node:timers/promises';
import { unfilteredStore } from '../../http/service.js';
import { anyone } from '../../database/cancel.js';
import { keepLog, noteHorizon, readFigures, type LogFigures } from './keep-log.js';
import { isTracked } from './tracked-tables.js';

/** Registers the change log, and the model whose changes are to be logged. */
export function registerChanges(container?: EntityContainer): void {
  if (container !== undefined) logModel(container);
  sqlHooks.register({ followers: logFollowers });
  registerBackground(startKeeping);
  httpHooks.register({ withViews: withEvents, readTracked, lastMember });
}

/** Milliseconds between two rounds, each with a note of the horizon, and between two notes where there are standbys. */
const period = 60_000;
const notePeriod = 100;

/** The most runs of a round; further rows wait for the next one. */
const mostRuns = 50;

/** Days for which deletions stay, unless the settings say otherwise. */
const daysKept = 7;

/** Hours after which superseded rows go. */
const supersededHours = 1;

/** Keeps the log while a service runs, in each process; only one of them works at a time. */
function startKeeping({ site, service, log, meters }: Surroundings): Background | undefined {
  if (!isTracked(service.container) || service.readOnly) return undefined;
  const store = unfilteredStore(service);
  const gauges = createLogMeters(meters);
  const ending = new AbortController();
  const { signal } = ending;
  const inPartitions = Object.values(service.container.entityTypes).some(({ events, partitions }) => events && partitions);
  const hours = { superseded: supersededHours, deletions: 24 * (site.changesKept ?? daysKept), inPartitions };
  const failed = (failure: unknown): false => {
    log('warn', { failure }, 'the change log could not be kept; the next round tries again');
    return false;
  };
  const measure = async (): Promise<boolean> => {
    const { hasStandbys, ...figures } = await store.read(readFigures, anyone);
    gauges(figures);
    return hasStandbys;
  };
  const round = async (): Promise<boolean> => {
    for (let runs = 0; runs < mostRuns && !signal.aborted && (await keepLog(store, hours)); runs += 1);
    await noteHorizon(store);
    return measure();
  };
  const note = (hasStandbys: boolean): (() => Promise<void>) | undefined => (hasStandbys ? () => noteHorizon(store) : undefined);
  const work = (async (): Promise<void> => {
    const hasStandbys = await measure().catch(failed);
    // Processes that start together take turns.
    await notes(note(hasStandbys), period * Math.random(), signal);
    while (!signal.aborted) await notes(note(await round().catch(failed)), period, signal);
  })();
  return {
    stop: async () => {
      ending.abort();
      await work;
    },
  };
}

// Until the next round. A failure ends the notes; the next round finds its cause.
async function notes(note: (() => Promise<void>) | undefined, milliseconds: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + milliseconds;
  if (note === undefined) return pause(milliseconds, signal);
  while (!signal.aborted && performance.now() < end) {
    const isNoted = await note().then(
      () => true,
      () => false,
    );
    await pause(isNoted ? notePeriod : period, signal);
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined); // It rejects when it is to end.
}

/** The gauges of the log. */
export function createLogMeters({ gauge }: Meters): (figures: Omit<LogFigures, 'hasStandbys'>) => void {
  const gauges = {
    rows: gauge('gable_changes_rows', 'Rows of the change log, as the database estimates them', []),
    bytes: gauge('gable_changes_bytes', 'Size of the change log with its indexes', []),
    age: gauge('gable_changes_age_seconds', 'Age of the oldest change in the log', []),
    lag: gauge('gable_changes_lag', 'Numbers of changes that were drawn and that readers cannot see yet', []),
  };
  return (figures) => Object.entries(gauges).forEach(([name, set]) => set({}, figures[name as keyof typeof gauges]));
}
