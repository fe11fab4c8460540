import { workloads, type ServerName } from '../workloads/workloads.js';
import { compareDeltaPage, type DeltaPageCost } from './delta-page.js';
import { keepResults } from './keep-results.js';
import { startLoad } from './load.js';
import { median } from './median.js';
import type { BenchOptions } from './options.js';
import type { Pinning } from './pinning.js';
import { measure, warmUp, type Bench, type Round } from './rounds.js';
import { startGable, startUntracked, type BenchServer } from './servers.js';
import type { Session } from './session.js';

/** The most that the log may take of a write, and a page of changes may cost beside a read of its records by keys. */
const targets = { write: 0.08, page: 1.5 } as const;

/** The share of a write that the log takes, by throughput and by processor time. */
interface WriteCost {
  readonly clients: number;
  readonly throughput: number;
  readonly processor: number | undefined;
}

/** Measures W7 with the change log and without it, and a page of a delta link beside the same read by keys. */
export async function measureChangeLog(options: BenchOptions, databaseUrl: string, session: Session, pinning: Pinning): Promise<void> {
  const [gable, untracked] = await Promise.all(
    [startGable, startUntracked].map((start) => start({ databaseUrl, pinning }, session.samples.member)),
  );
  const load = startLoad();
  try {
    if (gable === undefined || untracked === undefined) throw new Error('Two servers are started.');
    const servers = new Map<ServerName, BenchServer>([
      ['Gable', gable],
      ['Untracked', untracked],
    ]);
    const { rounds, seconds, listings } = options;
    const bench = { load, samples: session.samples, servers, postmaster: session.postmaster, rounds, seconds, warmUp: options.warmUp };
    // First, while both servers have compiled the same code for the same requests.
    const writes = await measureWrites(options.clients ?? [], bench);
    const page = await compareDeltaPage(gable, session, options.rounds);
    process.stdout.write(pageLine(page));
    const figures = { postgres: session.postgres, listings, rounds, seconds, pinned: pinning.pinned, writes, page };
    process.stdout.write(`\nWritten to ${keepResults('changes-', figures)}\n`);
  } finally {
    load.stop();
    await Promise.all([gable?.stop(), untracked?.stop()]);
  }
}

async function measureWrites(clients: readonly number[], bench: Bench): Promise<readonly WriteCost[]> {
  const costs: WriteCost[] = [];
  for (const workload of workloads.filter(({ id }) => id === 'W7')) {
    await warmUp(workload, bench);
    for (const count of clients) {
      const cost = writeCost(count, await measure(workload, count, bench));
      process.stdout.write(writeLine(cost));
      costs.push(cost);
    }
  }
  return costs;
}

/** The cost by the medians of the rounds' ratios: a round may be slower for both servers. */
export function writeCost(clients: number, rounds: readonly Round[]): WriteCost {
  const [tracked, plain] = ['Gable', 'Untracked'].map((name) => rounds.filter(({ server }) => server === name));
  const ratios = (of: (one: Round, other: Round) => number): number | undefined =>
    median((tracked ?? []).flatMap((round, index) => (plain?.[index] === undefined ? [] : [of(round, plain[index])])));
  const processor = ratios((one, other) => 1 - processorOf(other) / processorOf(one));
  return {
    clients,
    throughput: ratios((one, other) => 1 - one.throughput / other.throughput) ?? 0,
    processor: Number.isNaN(processor) ? undefined : processor,
  };
}

function processorOf({ nodeCpu = Number.NaN, postgresCpu = Number.NaN }: Round): number {
  return nodeCpu + postgresCpu;
}

function writeLine({ clients, throughput, processor }: WriteCost): string {
  const verdict = throughput <= targets.write ? 'ok' : '--';
  const processorTime = processor === undefined ? '' : `, ${percent(processor)} of the processor time`;
  return `W7, ${clients} clients: the log takes ${percent(throughput)} of the throughput${processorTime} (target ${percent(targets.write)} ${verdict})\n`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function pageLine({ records, deltaMilliseconds, keysMilliseconds }: DeltaPageCost): string {
  const ratio = deltaMilliseconds / keysMilliseconds;
  const verdict = ratio <= targets.page ? 'ok' : '--';
  return `${records} changed records: ${deltaMilliseconds.toFixed(1)} ms by delta link, ${keysMilliseconds.toFixed(1)} ms by their keys, ${ratio.toFixed(2)} of it (target ${targets.page} ${verdict})\n`;
}
