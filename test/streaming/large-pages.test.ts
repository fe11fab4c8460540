import test from 'ava';
import { startService, type TestService } from '../service.js';
import { sendRaw, type RawClient } from './raw-client.js';
import { openSessions, type Sessions } from './sessions.js';

let service: TestService;
let sessions: Sessions;
test.before(async () => {
  service = await startService({ GABLE_STATEMENT_TIMEOUT: '60000' });
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
  t.deepEqual(rest.value.map(({ MediaKey }) => MediaKey), ['P4', 'P3', 'P2', 'P1']);
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
  const pages = await Promise.all((['asc', 'desc', 'asc', 'desc'] as const).map(async (order) => ({ order, found: await readKeys(order) })));
  for (const { order, found } of pages) t.deepEqual(found, expected[order]);
});

test.serial('a large page within a batch is whole', async (t) => {
  const headers = { 'Authorization': `Bearer ${await service.token('all')}`, 'Content-Type': 'application/json' };
  const requests = [{ id: '1', method: 'get', url: 'Media?$top=1000' }, { id: '2', method: 'get', url: "Media('P1')" }];
  const response = await fetch(`${service.root}/$batch`, { method: 'POST', headers, body: JSON.stringify({ requests }) });
  const { responses } = (await response.json()) as { responses: readonly { status: number; body: Page }[] };
  t.deepEqual(responses.map(({ status }) => status), [200, 200]);
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

test.serial('a client that goes away while it is sent a page leaves no statement behind', async (t) => {
  const client = await large();
  await client.begun;
  await waitForBackPressure();
  client.socket.destroy();
  await sessions.waitFor("state = 'active'", 0);
  await healthy(t);
});

test.serial('a page that fails after its first bytes ends without its last chunk', async (t) => {
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
  t.is(((await response.json()) as { error: { code: string } }).error.code, '1503');
});

async function readKeys(order: string): Promise<readonly string[]> {
  const page = (await (await get(`${service.root}/Media?$top=3000&$filter=startswith(MediaKey,'large')&$orderby=MediaKey ${order}`)).json()) as Page;
  return page.value.map(({ MediaKey }) => MediaKey);
}

// As many requests at once as the pool has connections, and one more.
async function healthy(t: { readonly deepEqual: (actual: unknown, expected: unknown) => unknown }): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 5 }, () => get(`${service.root}/Media('P1')`)));
  t.deepEqual(answers.map(({ status }) => status), [200, 200, 200, 200, 200]);
}
