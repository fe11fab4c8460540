import type { DatabaseServer } from '../prepare/open-server.js';
import { prepare } from '../prepare/prepare.js';
import { workloads } from '../workloads/workloads.js';
import { keepResults } from './keep-results.js';
import { startLoad } from './load.js';
import type { BenchOptions } from './options.js';
import type { Pinning } from './pinning.js';
import { measure, warmUp } from './rounds.js';
import { startGable } from './servers.js';
import { openSession } from './session.js';
import { summarize } from './summary.js';

/** Processor milliseconds of a request, of Node and PostgreSQL, by workload; for W6 of 1 000 records. */
export interface Costs {
  readonly [workload: string]: number;
}

/** The numbers of listings of a run up to the largest: 10 000, and ten times as many each. */
export function growthSizes(largest: number): readonly number[] {
  const sizes = [Math.min(10_000, largest)];
  for (let size = 100_000; size <= largest; size *= 10) sizes.push(size);
  return sizes;
}

/** Measures every workload at several numbers of listings, and prints how the cost of each grows. */
export async function measureGrowth(options: BenchOptions, server: DatabaseServer, pinning: Pinning): Promise<void> {
  const sizes = growthSizes(options.listings);
  const costs: Costs[] = [];
  let postgres = '';
  for (const size of sizes) {
    const measured = await measureSize(size, options, server, pinning);
    costs.push(measured.costs);
    postgres = measured.postgres;
  }
  process.stdout.write(`\n${growthTable(sizes, costs)}\n`);
  const { rounds, seconds } = options;
  const file = keepResults('growth-', { postgres, rounds, seconds, pinned: pinning.pinned, sizes, costs });
  process.stdout.write(`\nWritten to ${file}\n`);
}

async function measureSize(
  listings: number,
  { only, rounds, seconds, warmUp: warm }: BenchOptions,
  server: DatabaseServer,
  pinning: Pinning,
): Promise<{ readonly costs: Costs; readonly postgres: string }> {
  const databaseUrl = await prepare(server, listings, false);
  const session = await openSession(databaseUrl);
  const load = startLoad();
  const gable = await startGable({ databaseUrl, pinning }, session.samples.member);
  const { samples, postmaster } = session;
  const bench = { load, samples, servers: new Map([['Gable', gable] as const]), postmaster, rounds, seconds, warmUp: warm };
  try {
    const costs: Record<string, number> = {};
    for (const workload of workloads.filter(({ id }) => only.includes(id))) {
      await warmUp(workload, bench);
      const { Gable } = summarize(workload.id, 1, await measure(workload, 1, bench)).servers;
      costs[workload.id] = Number(((Gable?.nodeCpu ?? 0) + (Gable?.postgresCpu ?? 0)).toFixed(4));
      process.stdout.write(`${listings} listings: ${workload.id} ${costs[workload.id]} ms\n`);
    }
    return { costs, postgres: session.postgres };
  } finally {
    load.stop();
    await gable.stop();
    await session.close();
  }
}

/** A share above the logarithm that the noise of a machine explains. */
const noise = 0.25;

/** Workloads that visit every matching row, of which there are more in more listings: W12 sorts the matches of rare words. */
const linear: ReadonlySet<string> = new Set(['W4', 'W10', 'W12']);

/** A line for each workload: its cost at each size, and its growth beside that of the logarithm. */
export function growthTable(sizes: readonly number[], costs: readonly Costs[]): string {
  const [first = 1, last = 1] = [sizes[0], sizes.at(-1)];
  const logarithm = Math.log(last) / Math.log(first);
  const head = ['', ...sizes.map(String), 'grows by', 'logarithm', ''];
  const rows = Object.keys(costs[0] ?? {}).map((id) => {
    const all = costs.map((each) => each[id] ?? 0);
    const growth = (all.at(-1) ?? 0) / (all[0] || 1);
    const verdict = growth <= logarithm * (1 + noise) ? 'ok' : linear.has(id) ? 'visits every match' : 'faster';
    return [id, ...all.map((cost) => cost.toFixed(3)), growth.toFixed(2), logarithm.toFixed(2), verdict];
  });
  return [head, ...rows]
    .map(([name = '', ...cells]) => `${name.padEnd(3)}${cells.map((cell) => cell.padStart(11)).join(' ')}`.trimEnd())
    .join('\n');
}
