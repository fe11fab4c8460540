import { openHttp } from '../load/http-connection.js';
import { median } from './median.js';
import type { BenchServer } from './servers.js';

/** The cost of a late page relative to the second one. */
export interface LatePage {
  readonly page: number;
  /** Records of a page. */
  readonly size: number;
  readonly secondMilliseconds: number;
  readonly lateMilliseconds: number;
}

/** The name that `--only` knows it by. */
export const pagesName = 'pages';

const last = 900;
const size = 100;
const walks = 5;
/** Pages on either side that count with a page: a single one is over in less than the clock's and the system's moods. */
const around = 10;

/** Reads the listings in some nine hundred small pages, and compares late pages with early ones. */
export async function measureLatePage({ port, headers }: BenchServer, listings: number): Promise<LatePage> {
  const page = Math.min(last, Math.floor(listings / size) - around - 1);
  const seconds: number[] = [];
  const lates: number[] = [];
  for (let walk = 0; walk <= walks; walk += 1) {
    const times = await walkTimes(port, headers.replace(/maxpagesize=\d+/, `maxpagesize=${size}`), page + around);
    // The first one is for the compiler.
    if (walk === 0) continue;
    seconds.push(...times.slice(1, 2 + 2 * around));
    lates.push(...times.slice(page - around - 1, page + around));
  }
  return { page, size, secondMilliseconds: median(seconds) ?? 0, lateMilliseconds: median(lates) ?? 0 };
}

async function walkTimes(port: number, headers: string, pages: number): Promise<readonly number[]> {
  const connection = await openHttp(port, headers);
  const times: number[] = [];
  let path: string | undefined = '/odata/Property?$orderby=ModificationTimestamp,ListingKey';
  while (path !== undefined && times.length < pages) {
    const started = performance.now();
    const { status, body } = await connection.send({ method: 'GET', path });
    times.push(performance.now() - started);
    if (status !== 200) throw new Error(`Page ${times.length} of the walk was answered with ${status}.`);
    const [, link] = /"@odata\.nextLink":"https?:\/\/[^/]*([^"]*)"\}$/.exec(Buffer.concat(body).toString('utf8')) ?? [];
    path = link;
  }
  connection.close();
  return times;
}
