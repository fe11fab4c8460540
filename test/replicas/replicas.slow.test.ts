import test, { type ExecutionContext } from 'ava';
import { end, folderOf, inPlace, seed, targetOf } from '../drill/place.js';
import { startPrimary, startStandby, type Server } from '../drill/server.js';
import { startProcess } from '../operation/serve-process.js';
import { until } from '../operation/until.js';
import { patientSettings } from '../support/database.js';

const listings = 10;
/** Writes, each followed by a read of what it wrote; shared by the listings, which are written concurrently. */
const writes = Number(process.env['REPLICA_WRITES'] ?? 20);

/** The last price that was written: each write has another one, so that no earlier state of a listing looks like a later one. */
let lastPrice = 100;

/** A service with a standby that is half a second behind and one that is not, and how its client asks. */
interface Drill {
  readonly primary: Server;
  readonly standbys: readonly [late: Server, prompt: Server];
  readonly environment: Readonly<Record<string, string>>;
}

test.serial('a client reads what it wrote: by the position of its write, or from the process that wrote', (t) =>
  withServers(async ({ standbys: [late], environment }) => {
    const replicas = { ...environment, DATABASE_REPLICAS: late.url };
    t.is(await staleReads(t, { ...replicas, GABLE_REPLICA_STICKY: '0' }, { sendsPosition: true }), 0);
    t.is(await staleReads(t, replicas, { sendsPosition: false }), 0);
    // The standby does serve the others.
    t.true((await staleReads(t, { ...replicas, GABLE_REPLICA_STICKY: '0' }, { sendsPosition: false })) > 0);
  }),
);

test.serial('pages over two standbys of different lag lose and repeat nothing', (t) =>
  withServers(async ({ standbys: [late, prompt], environment }) => {
    const settings = { DATABASE_REPLICAS: `${late.url},${prompt.url}`, GABLE_REPLICA_STICKY: '0', GABLE_REPLICA_LAG: '600000' };
    const client = await startClient(t, { ...environment, ...settings });
    // It keeps the listings in their first order, so that a page of the other standby would lose or repeat one.
    await late.run('SELECT pg_wal_replay_pause()');
    await until(async () => String((await late.run('SELECT pg_get_wal_replay_pause_state()'))[0]) === 'paused');
    // Four pages: where the standbys took turns, the first and the last would be of different ones.
    const keys = (): Promise<readonly string[]> => client.keys('Property?$select=ListingKey&$orderby=ListPrice,ListingKey&$top=3');
    const [first = ''] = await keys();
    const chains = new Set<string>();
    for (let round = 0; round < 6; round += 1) {
      const price = 10_000_000 + round;
      await client.patch(first, price);
      const readsPrice = `SELECT FROM "Property" WHERE "ListingKey" = '${first}' AND "ListPrice" = ${price}`;
      await until(async () => (await prompt.run(readsPrice)).length === 1);
      const chain = await keys();
      t.is(chain.length, listings);
      t.is(new Set(chain).size, listings);
      chains.add(chain.join());
    }
    // Both standbys have served.
    t.is(chains.size, 2);
  }),
);

test.serial('reads go on when a standby dies, and when the primary dies', (t) =>
  withServers(async ({ primary, standbys: [late, prompt], environment }) => {
    const client = await startClient(t, { ...environment, DATABASE_REPLICAS: `${late.url},${prompt.url}`, GABLE_REPLICA_STICKY: '0' });
    const serves = async (): Promise<number> => {
      const started = performance.now();
      const statuses = await Promise.all(Array.from({ length: 12 }, () => client.status('Property?$top=1')));
      t.true(performance.now() - started < 3_000);
      return statuses.filter((status) => status === 200).length;
    };
    const [key = ''] = await client.keys('Property?$select=ListingKey');
    t.is(await serves(), 12);
    const serving = async (): Promise<number> => (await client.metrics()).match(/^gable_replica_serving\{.*\} 1$/gm)?.length ?? 0;
    t.is(await serving(), 2);
    const { replicas } = await client.readiness();
    t.like(replicas, { serving: 2, ejected: 0 });
    await late.end('SIGKILL');
    await until(async () => (await serves()) === 12);
    await until(async () => (await serving()) === 1);
    t.like(await client.readiness(), { status: 'up', replicas: { serving: 1, ejected: 1 } });
    const unknownLag = `gable_replica_lag_seconds{replica="${new URL(late.url).host}"} +Inf`;
    await until(async () => (await client.metrics()).includes(unknownLag));
    await primary.end('SIGKILL');
    t.is(await serves(), 12);
    t.is(await client.status(`Property('${key}')`, { method: 'DELETE' }), 503);
    // An answer of readiness is kept for a second.
    await until(async () => (await client.readiness()).status === 'down');
  }),
);

test.serial('reads are answered within three seconds while a standby is frozen, and when one is promoted', (t) =>
  withServers(async ({ standbys: [late, prompt], environment }) => {
    await late.run('ALTER SYSTEM RESET recovery_min_apply_delay; ');
    await late.run('SELECT pg_reload_conf()');
    const client = await startClient(t, { ...environment, DATABASE_REPLICAS: `${late.url},${prompt.url}`, GABLE_REPLICA_STICKY: '0' });
    const counts = async (): Promise<unknown> => (await client.readiness()).replicas;
    const longest = async (): Promise<number> => {
      const times = Array.from({ length: 12 }, async () => {
        const started = performance.now();
        t.is(await client.status('Property?$top=1'), 200);
        return performance.now() - started;
      });
      return Math.max(...(await Promise.all(times)));
    };
    t.true((await longest()) < 3_000);
    late.signal('SIGSTOP');
    t.true((await longest()) < 3_000);
    t.true((await longest()) < 3_000);
    t.like(await counts(), { serving: 1, ejected: 1 });
    late.signal('SIGCONT');
    await until(async () => ((await counts()) as { readonly serving: number }).serving === 2);
    // It is another primary from then on, whose data is not that of the first.
    await prompt.run('SELECT pg_promote()');
    await until(async () => ((await counts()) as { readonly serving: number }).serving === 1);
    t.true((await longest()) < 3_000);
  }),
);

test.serial('a replica that is no copy, or whose role may not read it, serves nothing, and the log says why', (t) =>
  withServers(async ({ primary, standbys: [, prompt], environment }) => {
    await primary.run('CREATE DATABASE other');
    await primary.run("CREATE ROLE guest LOGIN PASSWORD 'guest'");
    await until(async () => (await prompt.run("SELECT FROM pg_database WHERE datname = 'other'")).length === 1);
    const guest = new URL(prompt.url);
    [guest.username, guest.password] = ['guest', 'guest'];
    const closed = Object.assign(new URL(prompt.url), { port: '1' }).href;
    const replicas = [
      prompt.url.replace(/postgres$/, 'other'),
      prompt.url.replace(/postgres$/, 'none'),
      guest.href,
      closed,
      primary.url,
      prompt.url,
    ];
    const settings = { DATABASE_REPLICAS: replicas.join(), GABLE_LOG_LEVEL: 'warn', GABLE_LOG_REQUESTS: 'none' };
    const client = await startClient(t, { ...environment, ...settings });
    const reasons = (): readonly string[] => [...client.log().matchAll(/serves no reads: (.*?)\."/g)].map(([, reason = '']) => reason);
    await until(() => Promise.resolve(reasons().length === 5));
    t.deepEqual(reasons().toSorted(), [
      'connect ECONNREFUSED 127.0.0.1:1',
      'database \\"none\\" does not exist',
      'it is no copy of the database of DATABASE_URL, but of another database or cluster',
      'it is no standby',
      'its role may not read Field, HistoryTransactional, Lookup, Media, Member, Office, OpenHouse, Property, PropertyRooms',
    ]);
    t.like(await client.readiness(), { status: 'up', replicas: { serving: 1, ejected: 5 } });
    for (let read = 0; read < 8; read += 1) t.is(await client.status('Property?$top=1'), 200);
    const { error } = (await client.get('Property?$deltatoken=forged')) as { readonly error: { readonly message: string } };
    t.regex(error.message, /^The \$deltatoken is invalid: this service did not issue it/);
  }),
);

async function staleReads(
  t: ExecutionContext,
  environment: Drill['environment'],
  { sendsPosition }: { readonly sendsPosition: boolean },
): Promise<number> {
  const client = await startClient(t, { ...environment, ...patientSettings });
  const keys = await client.keys('Property?$select=ListingKey');
  t.is(keys.length, listings);
  const staleReadsOf = async (key: string): Promise<number> => {
    let stale = 0;
    for (let write = 0; write < writes / listings; write += 1) {
      lastPrice += 1;
      const price = lastPrice;
      const position = await client.patch(key, price);
      t.regex(position, /^[0-9A-F]{8}-[0-9A-F]{16}$/);
      const read = await client.get(`Property('${key}')?$select=ListPrice`, sendsPosition ? { 'Gable-Position': position } : {});
      if ((read as { readonly ListPrice: number }).ListPrice !== price) stale += 1;
    }
    return stale;
  };
  const stale = await Promise.all(keys.map(staleReadsOf));
  await client.stop();
  return stale.reduce((sum, one) => sum + one, 0);
}

interface Answer {
  readonly value: readonly { readonly ListingKey: string }[];
  readonly '@odata.nextLink'?: string;
}

async function startClient(t: ExecutionContext, environment: Drill['environment']) {
  const served = await startProcess([], environment);
  t.teardown(() => served.child.kill('SIGKILL'));
  const { url, token, member } = await targetOf(served);
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new URL(path, `${url}/odata/`), {
      ...init,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...(init.headers as Record<string, string>) },
    });
  const get = async (path: string, headers: Record<string, string> = {}): Promise<unknown> => (await ask(path, { headers })).json();
  return {
    get,
    readiness: async () =>
      (await (await fetch(`${url}/health/ready`)).json()) as { readonly status: string; readonly replicas: { readonly lag: number } },
    metrics: async () => (await fetch(`${url}/metrics`)).text(),
    status: async (path: string, init?: RequestInit) => (await ask(path, init)).status,
    /** Changes a price; resolves to the position of the write. */
    patch: async (key: string, price: number): Promise<string> => {
      const body = JSON.stringify({ ChangedByMemberKey: member, ListPrice: price });
      const response = await ask(`Property('${key}')`, { method: 'PATCH', body });
      if (!response.ok) throw new Error(await response.text());
      return response.headers.get('gable-position') ?? '';
    },
    /** The keys of all pages. */
    keys: async (path: string): Promise<readonly string[]> => {
      const keys: string[] = [];
      for (let next: string | undefined = path; next !== undefined;) {
        const answer = (await get(next)) as Answer;
        keys.push(...answer.value.map(({ ListingKey }) => ListingKey));
        next = answer['@odata.nextLink'];
      }
      return keys;
    },
    log: served.log,
    stop: () => end(served),
  };
}

async function withServers(work: (drill: Drill) => Promise<void>): Promise<void> {
  await inPlace(async (place) => {
    const folders = ['primary', 'late', 'prompt'].map((name) => folderOf(place, name)) as [string, string, string];
    const servers: Server[] = [];
    try {
      const primary = await startPrimary(folders[0]);
      servers.push(primary);
      const environment = { ...place.environment, DATABASE_URL: primary.url };
      seed({ ...place, environment });
      const late = await startStandby(primary, folders[0], folders[1]);
      servers.push(late);
      const prompt = await startStandby(primary, folders[0], folders[2]);
      servers.push(prompt);
      await late.run("ALTER SYSTEM SET recovery_min_apply_delay = '500ms'");
      await late.run('SELECT pg_reload_conf()');
      await work({ primary, standbys: [late, prompt], environment });
    } finally {
      await Promise.all(servers.map((server) => server.end('SIGQUIT')));
    }
  });
}
