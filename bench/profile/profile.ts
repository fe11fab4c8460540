import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLoad } from '../run/load.js';
import type { BenchOptions } from '../run/options.js';
import type { Pinning } from '../run/pinning.js';
import { startModules } from '../run/servers.js';
import type { Session } from '../run/session.js';
import { planFor, workloads, type Workload } from '../workloads/workloads.js';
import { areaOf, functionOf, selfTimes, type CpuProfile, type SelfTime } from './self-time.js';

const shown = { areas: 15, functions: 25 };

/** Runs one workload under Node's profiler and prints the areas and the functions that take most themselves. */
export async function profile(options: BenchOptions, databaseUrl: string, session: Session, pinning: Pinning): Promise<void> {
  const workload = workloads.find(({ id }) => id === options.profile);
  if (workload === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'gable-profile-'));
  try {
    const nodeArguments = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=250'];
    await runUnder(workload, options, session, () => startModules({ databaseUrl, pinning, nodeArguments }, session.samples.member));
    const [file = ''] = readdirSync(folder);
    const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    print(selfTimes(recorded, options.seconds * 1000, areaOf).slice(0, shown.areas));
    print(selfTimes(recorded, options.seconds * 1000, functionOf).slice(0, shown.functions));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// The profile is written when the process ends.
async function runUnder(
  workload: Workload,
  { clients, seconds }: BenchOptions,
  { samples }: Session,
  start: () => ReturnType<typeof startModules>,
): Promise<void> {
  const [server, load] = [await start(), startLoad()];
  const count = clients?.[0] ?? workload.clients[1] ?? 1;
  try {
    const { port, headers } = server;
    const task = { port, headers, clients: count, seconds, warmup: 1, plan: planFor(workload, 'Gable', samples) };
    const { units, elapsed, p50, p99 } = await load.run(task, () => {});
    process.stdout.write(
      `${workload.id}, ${count} clients: ${((units / elapsed) * 1000).toFixed(0)} ${workload.unit} a second under the profiler, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms\n\n`,
    );
  } finally {
    load.stop();
    await server.stop();
  }
}

function print(times: readonly SelfTime[]): void {
  const lines = times.map(
    ({ place, milliseconds, share }) => `${(share * 100).toFixed(1).padStart(5)} %  ${milliseconds.toFixed(0).padStart(6)} ms  ${place}\n`,
  );
  process.stdout.write(`${lines.join('')}\n`);
}
