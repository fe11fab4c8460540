import { workloads, type ServerName } from '../workloads/workloads.js';
import { compareDeltaPage, type DeltaPageCost } from './delta-page.js';
import { keepResults } from './keep-results.js';
import { startLoad } from './load.js';
import { median } from './median.js';
import type { BenchOptions } from './options.js';
import type { Pinning } from './pinning.js';
import { measure, warmUp, type Bench, type Round } from './rounds.js';
import { startChanged, startGable, startModules, type BenchServer, type StartOptions } from './servers.js';
import type { Session } from './session.js';

/** The most that the log may take of a write, and a page of changes may cost beside a read of its records by keys. */
const targets = { write: 0.08, page: 1.5 } as const;

/** The share of a write that the log takes, by throughput and by processor time, beside another server. */
interface WriteCost {
  readonly clients: number;
  readonly beside: Reference;
  readonly throughput: number;
  readonly processor: number | undefined;
}

/** The servers beside which the log is measured. EntityEvent is specified, so one without events is no alternative. */
const references = { Events: 'a table of events, as before the log', Untracked: 'no events at all' } as const;

type Reference = keyof typeof references;

/**
 * How often the servers are started anew: two processes with the same code differ by up to 6 %, as each compiles and
 * places it anew.
 */
const starts = 5;

/** Measures W7 with the change log and without it, and a page of a delta link beside the same read by keys. */
export async function measureChangeLog(options: BenchOptions, databaseUrl: string, session: Session, pinning: Pinning): Promise<void> {
  const { rounds, seconds, listings, clients = [] } = options;
  const load = startLoad();
  const measured = new Map<number, Round[]>(clients.map((count) => [count, []]));
  try {
    await session.createEvents();
    for (let start = 0; start < starts; start += 1) {
      const servers = await startAll({ databaseUrl, pinning }, session.samples.member, start % 2 === 0);
      const bench = { load, samples: session.samples, servers, postmaster: session.postmaster, rounds, seconds, warmUp: options.warmUp };
      await measureWrites(measured, bench).finally(() => stopAll(servers));
    }
  } finally {
    load.stop();
  }
  const writes = [...measured].flatMap(([count, each]) =>
    (['Events', 'Untracked'] as const).map((beside) => writeCost(count, beside, each)),
  );
  for (const cost of writes) process.stdout.write(writeLine(cost));
  const gable = await startGable({ databaseUrl, pinning }, session.samples.member);
  const page = await compareDeltaPage(gable, session, rounds).finally(gable.stop);
  process.stdout.write(pageLine(page));
  const figures = { postgres: session.postgres, listings, starts, rounds, seconds, pinned: pinning.pinned, writes, page };
  process.stdout.write(`\nWritten to ${keepResults('changes-', figures)}\n`);
}

async function startAll(options: StartOptions, member: string, isTrackedFirst: boolean): Promise<ReadonlyMap<ServerName, BenchServer>> {
  const [gable, events, untracked] = await Promise.all([
    startModules(options, member),
    startChanged('events-table.js', options, member),
    startChanged('untracked.js', options, member),
  ]);
  const servers: [ServerName, BenchServer][] = [
    ['Gable', gable],
    ['Events', events],
    ['Untracked', untracked],
  ];
  return new Map(isTrackedFirst ? servers : servers.toReversed());
}

async function stopAll(servers: ReadonlyMap<ServerName, BenchServer>): Promise<void> {
  await Promise.all([...servers.values()].map(({ stop }) => stop()));
}

async function measureWrites(measured: ReadonlyMap<number, Round[]>, bench: Bench): Promise<void> {
  for (const workload of workloads.filter(({ id }) => id === 'W7')) {
    await warmUp(workload, bench);
    for (const [count, rounds] of measured) rounds.push(...(await measure(workload, count, bench)));
  }
}

/** The cost by the medians of the rounds' ratios: a round may be slower for both servers. */
export function writeCost(clients: number, beside: Reference, rounds: readonly Round[]): WriteCost {
  const [tracked, plain] = ['Gable', beside].map((name) => rounds.filter(({ server }) => server === name));
  const ratios = (of: (one: Round, other: Round) => number): number | undefined =>
    median((tracked ?? []).flatMap((round, index) => (plain?.[index] === undefined ? [] : [of(round, plain[index])])));
  const processor = ratios((one, other) => 1 - processorOf(other) / processorOf(one));
  return {
    clients,
    beside,
    throughput: ratios((one, other) => 1 - one.throughput / other.throughput) ?? 0,
    processor: Number.isNaN(processor) ? undefined : processor,
  };
}

function processorOf({ nodeCpu = Number.NaN, postgresCpu = Number.NaN }: Round): number {
  return nodeCpu + postgresCpu;
}

function writeLine({ clients, beside, throughput, processor }: WriteCost): string {
  const verdict = throughput <= targets.write ? 'ok' : '--';
  const processorTime = processor === undefined ? '' : `, ${percent(processor)} of the processor time`;
  return `W7, ${clients} clients, beside ${references[beside]}: the log takes ${percent(throughput)} of the throughput${processorTime} (target ${percent(targets.write)} ${verdict})\n`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function pageLine({ records, deltaMilliseconds, keysMilliseconds }: DeltaPageCost): string {
  const ratio = deltaMilliseconds / keysMilliseconds;
  const verdict = ratio <= targets.page ? 'ok' : '--';
  return `${records} changed records: ${deltaMilliseconds.toFixed(1)} ms by delta link, ${keysMilliseconds.toFixed(1)} ms by their keys, ${ratio.toFixed(2)} of it (target ${targets.page} ${verdict})\n`;
}
