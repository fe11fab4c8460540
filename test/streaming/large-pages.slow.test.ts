import { connect, type Socket } from 'node:net';
import test from 'ava';
import { codeOf } from '../support/error-code.js';
import { startService, type TestService } from '../support/service.js';
import { sendRaw, type RawClient } from './raw-client.js';
import { openSessions, type Sessions } from './sessions.js';

let service: TestService;
let sessions: Sessions;
test.before(async () => {
  service = await startService({ GABLE_STATEMENT_TIMEOUT: '60000', GABLE_LOG_LEVEL: 'silent' });
  sessions = openSessions(service.databaseUrl);
  // More bytes than all the buffers between a client and the database hold together.
  await sessions.rows(`insert into "Media" ("#id", "MediaKey", "ResourceName", "ResourceRecordKey", "#Property", "MediaURL", "ModificationTimestamp")
    select 1000 + i, 'large-' || lpad(i::text, 5, '0'), 'Property', '3', 3, 'https://' || repeat('x', 4000), '2026-03-01T09:00:00Z' from generate_series(1, 10000) i`);
});
test.after.always(async () => {
  await sessions?.close();
  await service?.stop();
});

interface Page {
  readonly '@odata.count'?: number;
  readonly '@odata.nextLink'?: string;
  readonly value: readonly { readonly MediaKey: string }[];
}

const get = async (url: string): Promise<Response> => fetch(url, { headers: { Authorization: `Bearer ${await service.token('all')}` } });
const large = (): Promise<RawClient> => service.token('all').then((token) => sendRaw('GET', `${service.root}/Media?$top=10000`, token));
// A server that reads on waits for its reader now and then, but not look after look.
const backPressure = "state = 'active' and wait_event = 'ClientWrite'";
const waitForBackPressure = (): Promise<void> => sessions.waitFor(backPressure, 1, 15);

test.serial('a page of 10 000 records is sent in chunks, with its count, its link and no record too many', async (t) => {
  const response = await get(`${service.root}/Media?$top=10000&$count=true&$orderby=MediaKey desc`);
  t.is(response.headers.get('content-length'), null);
  const page = (await response.json()) as Page;
  t.is(page['@odata.count'], 10_004);
  t.is(page.value.length, 10_000);
  t.is(page.value.at(-1)?.MediaKey, 'large-00001', 'the four others come after these');
  const second = await get(page['@odata.nextLink'] ?? '');
  t.not(second.headers.get('content-length'), null, 'a small page is sent whole');
  const rest = (await second.json()) as Page;
  t.deepEqual(
    rest.value.map(({ MediaKey }) => MediaKey),
    ['P4', 'P3', 'P2', 'P1'],
  );
  t.is(rest['@odata.nextLink'], undefined);
});

test.serial('a last page of 10 000 records has no link', async (t) => {
  const page = (await (await get(`${service.root}/Media?$top=10000&$filter=startswith(MediaKey,'large')`)).json()) as Page;
  t.is(page.value.length, 10_000);
  t.is(page['@odata.nextLink'], undefined);
});

test.serial('large pages at the same time do not mix', async (t) => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `large-${String(index + 1).padStart(5, '0')}`);
  const expected = { asc: keys.slice(0, 3_000), desc: keys.toReversed().slice(0, 3_000) };
  const pages = await Promise.all(
    (['asc', 'desc', 'asc', 'desc'] as const).map(async (order) => ({ order, found: await readKeys(order) })),
  );
  for (const { order, found } of pages) t.deepEqual(found, expected[order]);
});

// Of some 400 kB each, they are sent whole, from buffers that are used again.
const middling = (from: number): string =>
  `Media?$top=100&$orderby=MediaKey&$filter=MediaKey ge 'large-${String(from).padStart(5, '0')}'`.replaceAll(' ', '%20');
const keysFrom = (from: number): readonly string[] =>
  Array.from({ length: 100 }, (_, index) => `large-${String(from + index).padStart(5, '0')}`);

// Pipelined requests exceed the buffers of the system for a client that does not read.
async function pipelined(starts: readonly number[]): Promise<{ readonly socket: Socket; readonly rest: () => Promise<readonly Page[]> }> {
  const token = await service.token('all');
  const { port, pathname } = new URL(service.root);
  const socket = connect({ port: Number(port), host: '127.0.0.1' }).on('error', () => undefined);
  socket
    .pause()
    .write(
      starts
        .map(
          (from, index) =>
            `GET ${pathname}/${middling(from)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${index === starts.length - 1 ? 'Connection: close\r\n' : ''}\r\n`,
        )
        .join(''),
    );
  const rest = async (): Promise<readonly Page[]> => {
    const pieces: Buffer[] = [];
    for await (const piece of socket as AsyncIterable<Buffer>) pieces.push(piece);
    return bodiesOf(Buffer.concat(pieces)).map((body) => JSON.parse(body) as Page);
  };
  return { socket, rest };
}

function bodiesOf(bytes: Buffer): readonly string[] {
  const bodies: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const body = bytes.indexOf('\r\n\r\n', at) + 4;
    at = body + Number(/Content-Length: (\d+)/i.exec(bytes.toString('latin1', at, body))?.[1]);
    bodies.push(bytes.toString('utf8', body, at));
  }
  return bodies;
}

test.serial('whole pages do not mix, while some of their readers are slow and others leave', async (t) => {
  const starts = Array.from({ length: 24 }, (_, index) => 100 * index + 1);
  await Promise.all(starts.slice(0, 4).map((from) => get(`${service.root}/${middling(from)}`)));
  const slow = await pipelined(starts);
  for (let round = 0; round < 6; round += 1) {
    const leaving = await pipelined(starts);
    const pages = [5_000, 6_000, 7_000, 8_000].map(async (base) => ({
      from: base + round,
      page: (await (await get(`${service.root}/${middling(base + round)}`)).json()) as Page,
    }));
    for (const { from, page } of await Promise.all(pages))
      t.deepEqual(
        page.value.map(({ MediaKey }) => MediaKey),
        keysFrom(from),
      );
    leaving.socket.destroy();
  }
  t.deepEqual(
    (await slow.rest()).map(({ value }) => value.map(({ MediaKey }) => MediaKey)),
    starts.map(keysFrom),
  );
});

test.serial('a large page within a batch is whole', async (t) => {
  const headers = { Authorization: `Bearer ${await service.token('all')}`, 'Content-Type': 'application/json' };
  const requests = [
    { id: '1', method: 'get', url: 'Media?$top=1000' },
    { id: '2', method: 'get', url: "Media('P1')" },
  ];
  const response = await fetch(`${service.root}/$batch`, { method: 'POST', headers, body: JSON.stringify({ requests }) });
  const { responses } = (await response.json()) as { responses: readonly { status: number; body: Page }[] };
  t.deepEqual(
    responses.map(({ status }) => status),
    [200, 200],
  );
  t.is(responses[0]?.body.value.length, 1_000);
});

test.serial('while a client does not read, the database waits; when it reads on, the page is whole', async (t) => {
  const client = await large();
  await client.begun;
  await waitForBackPressure();
  const { status, body, whole } = await client.rest();
  t.is(status, 200);
  t.true(whole);
  const { value } = JSON.parse(body) as Page;
  t.is(new Set(value.map(({ MediaKey }) => MediaKey)).size, 10_000);
});

// The service's count of cut answers of a set.
async function cutBy(by: 'client' | 'service'): Promise<number> {
  const text = await (await fetch(service.root.replace('/odata', '/metrics'))).text();
  return Number(new RegExp(`^gable_http_cut_answers_total\\{resource="Media",by="${by}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

test.serial('a client that goes away while it is sent a page leaves no statement behind', async (t) => {
  const [gone, failed] = [await cutBy('client'), await cutBy('service')];
  const client = await large();
  await client.begun;
  await waitForBackPressure();
  client.socket.destroy();
  await sessions.waitFor("state = 'active'", 0);
  await healthy(t);
  t.deepEqual([await cutBy('client'), await cutBy('service')], [gone + 1, failed]);
});

test.serial('a page that fails after its first bytes ends without its last chunk', async (t) => {
  const [gone, failed] = [await cutBy('client'), await cutBy('service')];
  const client = await large();
  await client.begun;
  await waitForBackPressure();
  await sessions.rows(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and ${backPressure}`);
  await sessions.waitFor(backPressure, 0);
  const { status, whole, body } = await client.rest();
  t.is(status, 200);
  t.false(whole);
  t.throws(() => JSON.parse(body));
  await healthy(t);
  t.deepEqual([await cutBy('client'), await cutBy('service')], [gone, failed + 1]);
});

const locked = `wait_event_type = 'Lock'`;

test.serial('a page that fails before its first byte is answered with the error', async (t) => {
  const held = await sessions.hold('lock table "Media" in access exclusive mode');
  const answer = get(`${service.root}/Media?$top=10000`);
  await sessions.waitFor(locked, 1);
  await sessions.rows(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and ${locked}`);
  const response = await answer;
  await held.release();
  t.is(response.status, 503);
  t.is(await codeOf(response), '1503');
});

async function readKeys(order: string): Promise<readonly string[]> {
  const page = (await (
    await get(`${service.root}/Media?$top=3000&$filter=startswith(MediaKey,'large')&$orderby=MediaKey ${order}`)
  ).json()) as Page;
  return page.value.map(({ MediaKey }) => MediaKey);
}

// One request more than the pool has connections, concurrently.
async function healthy(t: { readonly deepEqual: (actual: unknown, expected: unknown) => unknown }): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 5 }, () => get(`${service.root}/Media('P1')`)));
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
}
