import { setTimeout as delay } from 'node:timers/promises';
import { openHttp } from '../load/http-connection.js';
import { memoryCases, type Asked, type MemoryCase } from './memory-cases.js';
import { forgetPeak, peakMemory, residentMemory } from './processes.js';
import { startGable, type StartOptions } from './servers.js';

/** How much memory something takes, in MB. */
export interface MemoryResult {
  readonly name: string;
  readonly bytes: number;
  /** After a few hundred small pages, so that what is loaded once does not count. */
  readonly idle: number;
  readonly peak: number;
  readonly overIdle: number;
  readonly target: number;
}

/** The name that `--only` knows it by. */
export const memoryName = 'memory';

const smallPages = 300;

/** Measures every case in a separate server; nothing where the system does not report memory. */
export async function* measureMemory(options: StartOptions, member: string, listings: number): AsyncGenerator<MemoryResult> {
  for (const each of memoryCases) {
    const server = await startGable(options, member);
    try {
      const result = await watch(server.pid, server, each, listings);
      if (result !== undefined) yield result;
    } finally {
      await server.stop();
    }
  }
}

async function watch(pid: number, asked: Asked, { name, target, run }: MemoryCase, listings: number): Promise<MemoryResult | undefined> {
  const connection = await openHttp(asked.port, asked.headers);
  for (let page = 0; page < smallPages; page += 1) await connection.send({ method: 'GET', path: '/odata/Property?$top=10' });
  connection.close();
  await delay(1_000);
  const idle = residentMemory(pid);
  forgetPeak(pid);
  const bytes = await run(asked, listings);
  const peak = peakMemory(pid);
  return idle === undefined || peak === undefined ? undefined : { name, bytes, idle, peak, overIdle: peak - idle, target };
}
