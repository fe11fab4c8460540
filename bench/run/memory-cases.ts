import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { openHttp, type LoadRequest } from '../load/http-connection.js';

/** Something that a server does while its memory is watched. */
export interface MemoryCase {
  readonly name: string;
  /** How many MB over idle it may take. */
  readonly target: number;
  /** Does it, and gives the bytes of one answer. */
  readonly run: (server: Asked, listings: number) => Promise<number>;
}

/** Where to ask, and with which header lines. */
export interface Asked {
  readonly port: number;
  readonly headers: string;
}

const inOrder = '$orderby=ModificationTimestamp,ListingKey';
const largestBody = 256 * 1024;

// oxfmt-ignore
// Of most once, in a server that has not met it: more would measure the patience of the collector, and what is never
// given back shows in the soak.
/** The cases and their targets, which are those of a streaming service that keeps nothing of a request. */
export const memoryCases: readonly MemoryCase[] = [
  { name: '8 pages of 10 000 records', target: 24, run: (server, listings) => repeat(server, 8, get(`/odata/Property?$top=${Math.min(10_000, listings)}&${inOrder}`)) },
  { name: 'a page of 1 000 records', target: 24, run: (server, listings) => repeat(server, 1, get(`/odata/Property?$top=${Math.min(1_000, listings)}&${inOrder}`)) },
  { name: 'a page of 100 records, expanded', target: 32, run: (server) => repeat(server, 1, get(`/odata/Property?$top=100&$expand=Media,Rooms,OpenHouses,ListAgent&${inOrder}`)) },
  { name: 'a body of 256 kB', target: 8, run: (server) => repeat(server, 1, { method: 'POST', path: '/odata/Property', body: bodyOf(largestBody) }, 400) },
  { name: 'a batch of 100 pages', target: 48, run: (server) => repeat(server, 1, { method: 'POST', path: '/odata/$batch', body: batchOf(100) }) },
  { name: 'a slow reader', target: 16, run: (server, listings) => readSlowly(server, `/odata/Property?$top=${Math.min(10_000, listings)}&${inOrder}`) },
];

function get(path: string): LoadRequest {
  return { method: 'GET', path };
}

// Read completely and rejected for its length; nothing is stored.
function bodyOf(bytes: number): string {
  const frame = JSON.stringify({ PublicRemarks: '' });
  return JSON.stringify({ PublicRemarks: 'x'.repeat(bytes - frame.length) });
}

function batchOf(parts: number): string {
  return JSON.stringify({
    requests: Array.from({ length: parts }, (_, index) => ({
      id: String(index),
      method: 'GET',
      url: `Property?$top=10&$skip=${index * 10}`,
    })),
  });
}

async function repeat({ port, headers }: Asked, times: number, request: LoadRequest, expected = 200): Promise<number> {
  const connection = await openHttp(port, headers);
  let bytes = 0;
  for (let time = 0; time < times; time += 1) {
    const answer = await connection.send(request);
    if (answer.status !== expected) throw new Error(`${request.method} ${request.path} was answered with ${answer.status}.`);
    bytes = answer.bytes;
  }
  connection.close();
  return bytes;
}

// As a line of about 8 MB a second takes it; what has not come after three seconds would come no differently.
async function readSlowly({ port, headers }: Asked, path: string): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`);
  let bytes = 0;
  const end = performance.now() + 3_000;
  while (performance.now() < end) {
    await delay(8);
    const piece = socket.read(Math.min(64 * 1024, socket.readableLength)) as Buffer | null;
    bytes += piece?.length ?? 0;
  }
  socket.destroy();
  if (bytes === 0) throw new Error(`${path} was not answered.`);
  return bytes;
}
