import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { folderOf, inPlace, seed, targetOf } from '../drill/place.js';
import { startPrimary, startStandby, type Server } from '../drill/server.js';
import type { Target } from '../drill/load.js';
import { startProcess } from '../operation/serve-process.js';
import { until } from '../operation/until.js';
import { certificateFile, startConsumer } from '../webhooks/consumer.js';
import { copyOf, freshly, pageAt, type Entry } from './copy.js';

/** A service whose address names a primary and its standby, and one that reads on the standby alone. */
interface Servers {
  readonly primary: Server;
  readonly standby: Server;
  readonly target: Target;
  readonly reading: Target;
}

const query = 'Property?$select=ListingKey,City,ListPrice';
const keyOf = ({ ListingKey: key }: Entry): string => String(key);

test.serial('no change is lost by a failover, and none comes twice: delta links, events, hooks', (t) =>
  withServers(t, async ({ primary, standby, target, reading }) => {
    await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.run('SELECT pg_reload_conf()');
    const consumer = await startConsumer();
    t.teardown(() => consumer.turn('off'));
    const hook = { address: consumer.url, sets: ['Property'], from: '0', format: 'reso' };
    const added = (await (await send(target, 'POST', '/hooks', hook)).json()) as { readonly secret: string };
    consumer.secrets.push(added.secret);
    const copies = await Promise.all(
      [target, reading].map(({ url, token }) => copyOf(`${url}/odata/${query}`, token, keyOf, 4).then((copy) => copy ?? t.fail())),
    );
    await isNoted(primary);
    let [writing, following] = [true, true];
    t.teardown(() => void ([writing, following] = [false, false]));
    const writer = writeWhile(target, () => writing);
    const events = followWhile(target, () => following);
    await writer.goOn();
    // The primary and the standby have changes.
    for (const copy of copies) await until(async () => (await copy.follow()).length > 0);
    await writer.goOn();
    await primary.end('SIGKILL');
    await delay(500);
    await standby.run('SELECT pg_promote()');
    await until(async () => (await change(target, 1)).ok);
    await writer.goOn();
    writing = false;
    await writer.ended;
    following = false;
    const log = await standby.run(`SELECT "#id", "#key" FROM "#changes" WHERE "#set" = 'Property' ORDER BY "#id"`);
    const logged = log.map(([number, key]) => `${number} ${key}`);
    const [followed, numbered] = [await events, logged.filter((text) => Number(text.split(' ')[0]) > 0)];
    const [lost, invented] = [numbered.filter((text) => !followed.includes(text)), followed.filter((text) => !numbered.includes(text))];
    t.deepEqual({ lost, invented }, { lost: [], invented: [] });
    t.deepEqual(followed, numbered);
    const fresh = await freshly(`${target.url}/odata/${query}`, target.token, keyOf);
    for (const copy of copies) {
      await copy.follow();
      t.deepEqual([...copy.records()].toSorted(), [...(fresh ?? [])].toSorted());
    }
    // A delivery that was not accepted comes again.
    const accepted = (): readonly number[] => numbersIn(consumer.received.filter(({ status }) => status === 204).map(({ body }) => body));
    await until(async () => accepted().length >= logged.length);
    t.deepEqual(
      accepted(),
      logged.map((text) => Number(text.split(' ')[0])),
    );
  }),
);

test.serial('a link is 410 where its reader may have seen a change that the promoted standby lacks, and goes on elsewhere', (t) =>
  withServers(t, async ({ primary, standby, target }) => {
    const kept = await linkOf(target);
    await change(target, 2);
    await isNoted(primary);
    // The changes from here on do not reach the standby.
    await standby.run("ALTER SYSTEM SET primary_conninfo = ''");
    await standby.run('SELECT pg_reload_conf()');
    await until(async () => (await primary.run('SELECT FROM pg_stat_replication')).length === 0);
    t.true((await change(target, 3)).ok);
    const lost = await linkOf(target);
    await primary.end('SIGKILL');
    await standby.run('SELECT pg_promote()');
    await until(async () => (await change(target, 4)).ok);
    const stale = await send(target, 'GET', lost);
    t.is(stale.status, 410);
    t.is(stale.headers.get('location'), `${target.url}/odata/${query}`);
    const page = await pageAt(`${target.url}${kept}`, target.token, 'track-changes');
    t.deepEqual(
      page.value.map((entry) => entry['ListPrice']),
      [400_000],
    );
  }),
);

async function withServers(t: ExecutionContext, work: (servers: Servers) => Promise<void>): Promise<void> {
  t.timeout(300_000);
  await inPlace(async (place) => {
    const [first, second] = [folderOf(place, 'first'), folderOf(place, 'second')];
    const primary = await startPrimary(first);
    const servers = [primary];
    try {
      seed({ ...place, environment: { ...place.environment, DATABASE_URL: primary.url } });
      const standby = await startStandby(primary, first, second);
      servers.push(standby);
      await until(async () => (await primary.run("SELECT FROM pg_stat_replication WHERE state = 'streaming'")).length === 1);
      const both = primary.url.replace(/@.*\//, `@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/`);
      const hooks = {
        GABLE_WEBHOOK_NETWORKS: '127.0.0.1,::1',
        NODE_EXTRA_CA_CERTS: certificateFile,
        GABLE_WEBHOOK_TRIES: '0.5,1,1,1,1,1,1,1,1,1',
      };
      const environment = { ...place.environment, ...hooks };
      const served = await startProcess([], { ...environment, DATABASE_URL: both });
      t.teardown(() => served.child.kill('SIGKILL'));
      const reader = await startProcess([], { ...environment, DATABASE_URL: standby.url, GABLE_READ_ONLY: 'true' });
      t.teardown(() => reader.child.kill('SIGKILL'));
      await work({ primary, standby, target: await targetOf(served), reading: await targetOf(reader) });
    } finally {
      await Promise.all(servers.map((server) => server.end('SIGQUIT')));
    }
  });
}

// The service notes its horizon some time after its start, once it has found the standby.
async function isNoted(primary: Server): Promise<void> {
  const noted = `SELECT FROM "#change_state" WHERE "#horizon" >= (SELECT max("#id") FROM "#changes")`;
  for (let round = 0; round < 3; round += 1)
    if (
      await until(async () => (await primary.run(noted)).length === 1).then(
        () => true,
        () => false,
      )
    )
      return;
  throw new Error('The horizon was not noted.');
}

function send({ url, token }: Target, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Prefer: 'track-changes' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

function change(target: Target, times: number): Promise<Response> {
  const body = { ChangedByMemberKey: target.member, ListPrice: 100_000 * times };
  return send(target, 'PATCH', "/odata/Property('1')", body).catch(() => new Response(null, { status: 503 }));
}

async function linkOf(target: Target): Promise<string> {
  const response = await send(target, 'GET', `/odata/${query}&$deltatoken=latest`);
  const { '@odata.deltaLink': link } = (await response.json()) as { readonly '@odata.deltaLink': string };
  return link.slice(target.url.length);
}

interface Writer {
  /** Resolves after some more writes. */
  readonly goOn: () => Promise<void>;
  readonly ended: Promise<void>;
}

function writeWhile(target: Target, isWriting: () => boolean): Writer {
  let written = 0;
  const write = async (): Promise<void> => {
    for (let turn = 1; isWriting(); turn += 1) if ((await change(target, turn)).ok) written += 1;
  };
  const goOn = (enough = written + 20): Promise<void> => until(async () => written >= enough);
  return { goOn: () => goOn(), ended: write() };
}

/** Follows events by their numbers, as RCP-27 says, until a read that begins after the last write finds none. */
async function followWhile(target: Target, isFollowing: () => boolean): Promise<readonly string[]> {
  const found: string[] = [];
  for (let [last, isOpen] = [0, true]; isOpen;) {
    isOpen = isFollowing();
    const filter = `EntityEventSequence%20gt%20${last}%20and%20ResourceName%20eq%20'Property'`;
    const response = await send(target, 'GET', `/odata/EntityEvent?$filter=${filter}&$orderby=EntityEventSequence&$top=1000`).catch(
      () => undefined,
    );
    if (response?.ok !== true) {
      if (!isOpen) throw new Error(`The last read of events is ${response?.status ?? 'not answered'}.`);
      continue;
    }
    const { value } = (await response.json()) as { value: { EntityEventSequence: number; ResourceRecordKey: string }[] };
    found.push(...value.map((event) => `${event.EntityEventSequence} ${event.ResourceRecordKey}`));
    last = value.at(-1)?.EntityEventSequence ?? last;
    if (value.length > 0) isOpen = true;
  }
  return found;
}

/** The numbers of delivered events, each once. */
function numbersIn(bodies: readonly string[]): readonly number[] {
  return [...new Set(bodies.flatMap((body) => [...body.matchAll(/"EntityEventSequence":(\d+)/g)].map(([, number]) => Number(number))))];
}
