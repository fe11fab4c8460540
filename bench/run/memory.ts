import { setTimeout as delay } from 'node:timers/promises';
import { openHttp, type HttpConnection } from '../load/http-connection.js';
import { forgetPeak, peakMemory, residentMemory } from './processes.js';
import { startGable, type BenchServer, type StartOptions } from './servers.js';
import { largePageMemoryTarget } from './targets.js';

/** How much memory a large page takes, in MB. */
export interface MemoryResult {
  readonly records: number;
  readonly pages: number;
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
const largePages = 8;
const largest = 10_000;

/** Reads large pages, one after the other, from a server of its own; undefined where the system does not tell of memory. */
export async function measureMemory(options: StartOptions, member: string, listings: number): Promise<MemoryResult | undefined> {
  const server = await startGable(options, member);
  try {
    const connection = await openHttp(server.port, server.headers);
    return await readPages(server, connection, Math.min(largest, listings)).finally(connection.close);
  } finally {
    await server.stop();
  }
}

async function readPages({ pid }: BenchServer, connection: HttpConnection, records: number): Promise<MemoryResult | undefined> {
  for (let page = 0; page < smallPages; page += 1) await read(connection, '/odata/Property?$top=10');
  await delay(1_000);
  const idle = residentMemory(pid);
  forgetPeak(pid);
  let bytes = 0;
  for (let page = 0; page < largePages; page += 1) bytes = await read(connection, `/odata/Property?$top=${records}&$orderby=ModificationTimestamp,ListingKey`);
  const peak = peakMemory(pid);
  if (idle === undefined || peak === undefined) return undefined;
  return { records, pages: largePages, bytes, idle, peak, overIdle: peak - idle, target: largePageMemoryTarget };
}

async function read(connection: HttpConnection, path: string): Promise<number> {
  const { status, bytes } = await connection.send({ method: 'GET', path });
  if (status !== 200) throw new Error(`${path} was answered with ${status}.`);
  return bytes;
}
