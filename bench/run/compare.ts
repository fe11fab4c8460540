import { workloads, type ServerName } from '../workloads/workloads.js';
import { check } from './check.js';
import { measureLatePage, pagesName, type LatePage } from './late-page.js';
import { startLoad } from './load.js';
import { measureMemory, memoryName, type MemoryResult } from './memory.js';
import type { BenchOptions } from './options.js';
import type { Pinning } from './pinning.js';
import { compareQuickly, startLine } from './quick.js';
import { latePageLine, memoryLine, tableHead, tableRows, writeResults } from './report.js';
import { measure, warmUp, type Bench } from './rounds.js';
import { startFloor, startGable, type BenchServer } from './servers.js';
import type { Session } from './session.js';
import { summarize, type Summary } from './summary.js';

/** Measures the product against the floor, prints the table as it grows, and keeps the figures. */
export async function compare(options: BenchOptions, databaseUrl: string, session: Session, pinning: Pinning): Promise<void> {
  const floor = await startFloor({ databaseUrl, pinning });
  const load = startLoad();
  try {
    const gable = await startGable({ databaseUrl, pinning }, session.samples.member);
    if (options.quick !== undefined) process.stdout.write(startLine(gable));
    try {
      const servers = new Map<ServerName, BenchServer>(options.servers.map((name) => [name, name === 'Gable' ? gable : floor]));
      const { rounds, seconds, listings, warmUp } = options;
      const results = await measureAll(options, session, {
        load,
        samples: session.samples,
        servers,
        postmaster: session.postmaster,
        rounds,
        seconds,
        warmUp,
      });
      if (options.quick !== undefined) return compareQuickly(results, options.quick);
      const latePage = await comparePages(options, gable);
      const memory: MemoryResult[] = [];
      for await (const result of options.only.includes(memoryName)
        ? measureMemory({ databaseUrl, pinning }, session.samples.member, listings)
        : []) {
        process.stdout.write(memoryLine(result));
        memory.push(result);
      }
      process.stdout.write(
        `\nWritten to ${writeResults({ postgres: session.postgres, listings, rounds, seconds, pinned: pinning.pinned }, { results, latePage, memory })}\n`,
      );
    } finally {
      await gable.stop();
    }
  } finally {
    load.stop();
    await floor.stop();
  }
}

async function comparePages({ only, listings }: BenchOptions, gable: BenchServer): Promise<LatePage | undefined> {
  if (!only.includes(pagesName)) return undefined;
  const latePage = await measureLatePage(gable, listings);
  process.stdout.write(latePageLine(latePage));
  return latePage;
}

async function measureAll({ only, clients }: BenchOptions, session: Session, bench: Bench): Promise<readonly Summary[]> {
  const results: Summary[] = [];
  process.stdout.write(tableHead());
  for (const workload of workloads.filter(({ id }) => only.includes(id))) {
    await check(workload, bench.servers, session.samples, session.traces);
    await warmUp(workload, bench);
    for (const count of clients ?? workload.clients) {
      const summary = summarize(workload.id, count, await measure(workload, count, bench));
      process.stdout.write(tableRows(summary));
      results.push(summary);
    }
  }
  return results;
}
