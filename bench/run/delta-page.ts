import { openHttp, type HttpConnection } from '../load/http-connection.js';
import { median } from './median.js';
import type { BenchServer } from './servers.js';
import type { Session } from './session.js';

/** The cost of a page of changes, beside that of the same records by a list of keys. */
export interface DeltaPageCost {
  readonly records: number;
  readonly deltaMilliseconds: number;
  readonly keysMilliseconds: number;
}

/** Reads for the compiler. */
const warmUps = 10;

/** Reads a thousand changed listings by a delta link and by their keys, in turn. */
export async function compareDeltaPage(
  { port, headers }: BenchServer,
  { samples, change }: Session,
  rounds: number,
): Promise<DeltaPageCost> {
  const connection = await openHttp(port, `${headers}Prefer: track-changes\r\n`);
  try {
    const link = await read('/odata/Property?$deltatoken=latest', connection);
    const [, delta = ''] = /"@odata\.deltaLink":"https?:\/\/[^/]*([^"]*)"/.exec(link) ?? [];
    await change(samples.keys);
    const keys = `/odata/Property?$filter=ListingKey%20in%20(${samples.keys.map((key) => `'${key}'`).join()})`;
    const times: { readonly delta: number; readonly keys: number }[] = [];
    for (let round = -warmUps; round < 5 * rounds; round += 1) {
      const time = {
        delta: await timeOf(delta, samples.keys.length, connection),
        keys: await timeOf(keys, samples.keys.length, connection),
      };
      if (round >= 0) times.push(time);
    }
    return {
      records: samples.keys.length,
      deltaMilliseconds: median(times.map((time) => time.delta)) ?? 0,
      keysMilliseconds: median(times.map((time) => time.keys)) ?? 0,
    };
  } finally {
    connection.close();
  }
}

async function timeOf(path: string, records: number, connection: HttpConnection): Promise<number> {
  const started = performance.now();
  const text = await read(path, connection);
  const time = performance.now() - started;
  const found = text.split('{"@odata.etag"').length - 1;
  if (found !== records) throw new Error(`${path.slice(0, 80)} has ${found} records instead of ${records}.`);
  return time;
}

async function read(path: string, connection: HttpConnection): Promise<string> {
  const { status, body } = await connection.send({ method: 'GET', path });
  const text = Buffer.concat(body).toString('utf8');
  if (status !== 200) throw new Error(`${path.slice(0, 80)} was answered with ${status}: ${text.slice(0, 400)}`);
  return text;
}
