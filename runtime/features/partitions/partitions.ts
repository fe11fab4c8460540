import { setTimeout as delay } from 'node:timers/promises';
import { registerBackground, type Background, type Surroundings } from '../../http/background.js';
import { unfilteredStore } from '../../http/service.js';
import { keepPartitions, partitionedTables } from './keep-partitions.js';

/** Registers the work that makes partitions ahead and drops old ones. */
export function registerPartitions(): void {
  registerBackground(startPartitions);
}

/** Milliseconds between two rounds. */
const period = 60_000;

/** Keeps the partitions while a service runs, in each process; only one of them works at a time. */
function startPartitions({ service, log }: Surroundings): Background | undefined {
  const tables = partitionedTables(service.container);
  if (tables.length === 0 || service.readOnly) return undefined;
  const ending = new AbortController();
  const { signal } = ending;
  const round = async (): Promise<void> => {
    for (const table of tables) {
      const { made, dropped } = await keepPartitions(unfilteredStore(service), table);
      if (made.length + dropped.length > 0) log('info', { table: table.table, made, dropped }, 'partitions were made or dropped');
    }
  };
  const work = (async (): Promise<void> => {
    while (!signal.aborted) {
      await round().catch((failure: unknown) => log('warn', { failure }, 'partitions could not be kept; the next round tries again'));
      await delay(period, undefined, { signal, ref: false }).catch(() => undefined); // It rejects when it is to end.
    }
  })();
  return {
    stop: async () => {
      ending.abort();
      await work;
    },
  };
}
