import { startProxy } from '../fault/proxy.js';
import { startProcess } from '../operation/serve-process.js';
import { until } from '../operation/until.js';
import { folderOf, inPlace, seed, targetOf, type Place } from './place.js';
import { strikeRepeatedly, untilRefused, whileServing, type DrillOutcome } from './rounds.js';
import { startPrimary, startStandby, type Server } from './server.js';

/** How a service finds the standby of a primary that has died. */
interface Way {
  /** The address of both servers. */
  readonly url: string;
  /** Turns connections to the standby, after the primary has died. */
  readonly turn: () => void;
  readonly stop: () => Promise<void> | void;
}

/** By a proxy, whose address leads to the standby from then on. */
export async function throughProxy(primary: Server, standby: Server): Promise<Way> {
  const proxy = await startProxy(primary.url);
  const turn = (): void => {
    proxy.lead(standby.port);
    proxy.reset();
  };
  return { url: proxy.url, turn, stop: proxy.stop };
}

/** By an address with both hosts, the standby first. */
export async function bySeveralHosts(primary: Server, standby: Server): Promise<Way> {
  const url = primary.url.replace(/@.*\//, `@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/`);
  return { url, turn: () => undefined, stop: () => undefined };
}

/**
 * The primary dies, its address leads to the read-only standby, and then the standby is promoted. Runs once whatever
 * the number of rounds: each would need two new servers.
 */
export function failOver(find: typeof throughProxy): (title: string) => Promise<DrillOutcome> {
  return (title) =>
    inPlace((place) =>
      withServers(place, async (primary, standby) => {
        const way = await find(primary, standby);
        const served = await startProcess([], { ...place.environment, DATABASE_URL: way.url });
        const strikes = strikeRepeatedly(title, 1, await targetOf(served), async (record) => {
          await primary.end('SIGKILL');
          way.turn();
          await untilRefused(record);
          await standby.run('SELECT pg_promote()');
          return { status: [201, 503], mended: performance.now() };
        });
        return whileServing(served, strikes).finally(way.stop);
      }),
    );
}

async function withServers<Result>(place: Place, work: (primary: Server, standby: Server) => Promise<Result>): Promise<Result> {
  const [first, second] = [folderOf(place, 'first'), folderOf(place, 'second')];
  const servers = [await startPrimary(first)];
  try {
    const [primary] = servers as [Server];
    seed({ ...place, environment: { ...place.environment, DATABASE_URL: primary.url } });
    const standby = await startStandby(primary, first, second);
    servers.push(standby);
    await confirmByStandby(primary);
    return await work(primary, standby);
  } finally {
    await Promise.all(servers.map((server) => server.end('SIGQUIT')));
  }
}

// Data that only the primary has is lost with it, so it must not be acknowledged.
async function confirmByStandby(primary: Server): Promise<void> {
  await until(async () => (await primary.run("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")).length === 1);
  await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.run('SELECT pg_reload_conf()');
}
