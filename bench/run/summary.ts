import { median } from './median.js';
import type { ServerName } from '../workloads/workloads.js';
import type { Round } from './rounds.js';
import { targetOf } from './targets.js';

/** The medians of a workload's rounds at one number of clients. */
export interface Summary {
  readonly workload: string;
  readonly clients: number;
  readonly servers: { readonly [Name in ServerName]?: Omit<Round, 'server'> };
  /** The median of the rounds' ratios of Gable to F2. */
  readonly ratio: number | undefined;
  readonly target: number | undefined;
  /** Processor time of F2 and its database as a share of Gable's and its; it holds on a busy machine too. */
  readonly cpuRatio: number | undefined;
}

/** Sums rounds up. A ratio is taken within a round, since the machine may be slower in the next. */
export function summarize(workload: string, clients: number, rounds: readonly Round[]): Summary {
  const of = (name: ServerName): readonly Round[] => rounds.filter(({ server }) => server === name);
  const floors = of('F2');
  const ratios = of('Gable').flatMap(({ throughput }, index) =>
    floors[index] === undefined ? [] : [throughput / floors[index].throughput],
  );
  const names = [...new Set(rounds.map(({ server }) => server))];
  const servers: Summary['servers'] = Object.fromEntries(names.map((name) => [name, medians(of(name))]));
  const [floorCpu, gableCpu] = [cpuOf(servers.F2), cpuOf(servers.Gable)];
  return {
    workload,
    clients,
    servers,
    ratio: median(ratios),
    target: targetOf(workload),
    cpuRatio: floorCpu === undefined || !gableCpu ? undefined : floorCpu / gableCpu,
  };
}

function cpuOf(round: Omit<Round, 'server'> | undefined): number | undefined {
  return round?.nodeCpu === undefined ? undefined : round.nodeCpu + (round.postgresCpu ?? 0);
}

function medians(rounds: readonly Round[]): Omit<Round, 'server'> {
  const of = (value: (round: Round) => number | undefined): number | undefined => median(rounds.flatMap((round) => value(round) ?? []));
  const late = rounds.flatMap(({ latePage }) => latePage ?? []);
  const ratioToSecond = median(late.map((each) => each.ratioToSecond));
  return {
    throughput: of(({ throughput }) => throughput) ?? 0,
    p50: of(({ p50 }) => p50) ?? 0,
    p99: of(({ p99 }) => p99) ?? 0,
    nodeCpu: of(({ nodeCpu }) => nodeCpu),
    postgresCpu: of(({ postgresCpu }) => postgresCpu),
    peakMegabytes: of(({ peakMegabytes }) => peakMegabytes),
    bytesPerRequest: of(({ bytesPerRequest }) => bytesPerRequest) ?? 0,
    ...(ratioToSecond !== undefined && { latePage: { page: median(late.map(({ page }) => page)) ?? 0, ratioToSecond } }),
  };
}
