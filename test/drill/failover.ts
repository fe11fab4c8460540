import { startProxy } from '../fault/proxy.js';
import { startProcess } from '../operation/serve-process.js';
import { until } from '../operation/until.js';
import { folderOf, inPlace, seed, targetOf, type Place } from './place.js';
import { strikeRepeatedly, untilRefused, whileServing, type DrillOutcome } from './rounds.js';
import { startPrimary, startStandby, type Server } from './server.js';

/**
 * The primary dies, its address leads to the read-only standby, and then the standby is promoted. Runs once whatever
 * the number of rounds: each would need two new servers.
 */
export function failOver(title: string): Promise<DrillOutcome> {
  return inPlace((place) =>
    withServers(place, async (primary, standby) => {
      const proxy = await startProxy(primary.url);
      const served = await startProcess([], { ...place.environment, DATABASE_URL: proxy.url });
      const strikes = strikeRepeatedly(title, 1, await targetOf(served), async (record) => {
        await primary.end('SIGKILL');
        proxy.lead(standby.port);
        proxy.reset();
        await untilRefused(record);
        await standby.run('SELECT pg_promote()');
        return { status: [201, 503], mended: performance.now() };
      });
      return whileServing(served, strikes).finally(proxy.stop);
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
