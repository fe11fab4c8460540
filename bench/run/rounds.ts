import type { Samples } from '../workloads/samples.js';
import { planFor, type ServerName, type Workload } from '../workloads/workloads.js';
import type { Load } from './load.js';
import { forgetPeak, peakMemory, usageOf } from './processes.js';
import type { BenchServer } from './servers.js';

/** Everything that rounds need. */
export interface Bench {
  readonly load: Load;
  readonly samples: Samples;
  /** The floors share a process. */
  readonly servers: ReadonlyMap<ServerName, BenchServer>;
  readonly postmaster: number | undefined;
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds of requests before a workload is measured. */
  readonly warmUp: number;
}

/** One round of one server. */
export interface Round {
  readonly server: ServerName;
  /** Requests or records a second. */
  readonly throughput: number;
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of processor time for a request (or for 1 000 records). */
  readonly nodeCpu: number | undefined;
  readonly postgresCpu: number | undefined;
  readonly peakMegabytes: number | undefined;
  readonly bytesPerRequest: number;
  readonly latePage?: { readonly page: number; readonly ratioToSecond: number };
}

/** Measures a workload at every server, one after the other in each round, so that a slow minute of the machine meets all of them. */
export async function measure(workload: Workload, clients: number, bench: Bench): Promise<readonly Round[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const names = [...bench.servers.keys()];
    for (const name of round % 2 === 0 ? names : names.toReversed()) rounds.push(await measureOnce(workload, clients, name, bench));
  }
  return rounds;
}

/** Asks every server until its code is compiled: with few clients a round ends before that, and compares compilers. */
export async function warmUp(workload: Workload, { load, samples, servers, warmUp: seconds }: Bench): Promise<void> {
  for (const [name, { port, headers }] of servers) {
    await load.run({ port, headers, clients: 16, warmup: 0, seconds, plan: planFor(workload, name, samples) }, () => undefined);
  }
}

async function measureOnce(
  workload: Workload,
  clients: number,
  server: ServerName,
  { load, samples, servers, postmaster, seconds }: Bench,
): Promise<Round> {
  const { port, pid, headers } = servers.get(server) as BenchServer;
  forgetPeak(pid);
  let before = usageOf(pid, postmaster);
  const task = { port, headers, clients, seconds, warmup: Math.min(1, seconds / 5), plan: planFor(workload, server, samples) };
  const result = await load.run(task, () => (before = usageOf(pid, postmaster)));
  const after = usageOf(pid, postmaster);
  if (result.requests === 0)
    throw new Error(`${workload.id} at ${server}: no request was answered within the round; give it more seconds.`);
  const units = workload.unit === 'records' ? result.units / 1000 : result.requests;
  const spent = (from: number | undefined, to: number | undefined): number | undefined =>
    from === undefined || to === undefined ? undefined : (to - from) / units;
  return {
    server,
    throughput: (result.units / result.elapsed) * 1000,
    p50: result.p50,
    p99: result.p99,
    nodeCpu: spent(before.node, after.node),
    postgresCpu: spent(before.postgres, after.postgres),
    peakMegabytes: peakMemory(pid),
    bytesPerRequest: result.bytes / result.requests,
    ...(result.pages && { latePage: { page: result.pages.latePage, ratioToSecond: result.pages.late / result.pages.second } }),
  };
}
