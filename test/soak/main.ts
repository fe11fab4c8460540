import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Sequelize } from 'sequelize';
import { issueToken } from '../../runtime/identity/authenticate.js';
import { testDatabase } from '../support/database.js';
import { startProcess } from '../operation/serve-process.js';
import { scriptOptions } from '../support/script-options.js';
import { fillCaches, runClients, type Met, type Served } from './clients.js';
import { report } from './report.js';
import { SampleBook, type Samples } from './samples.js';

// Tokens expire every minute, clients leave without their answer, a hundredth of the requests is hostile, and every hour
// the database ends all sessions. The process ends with 1 where something grew or was answered wrongly.
const secret = 'a secret of the soak, which protects nothing at all';
const sampleEvery = 10_000;
const troubledFor = 10_000;

const { minutes, clients } = scriptOptions('soak', {
  minutes: { unless: 120, says: 'how long; the first sixth, 20 minutes at most, is left out of the slopes' },
  clients: { unless: 8, says: 'how many; each rests as long as it waits' },
});
process.exitCode = await soak(minutes, clients);

async function soak(minutes: number, count: number): Promise<number> {
  const database = await testDatabase();
  const environment = { DATABASE_URL: database.url, GABLE_SECRET: secret, GABLE_LOG_LEVEL: 'silent' };
  execFileSync(process.execPath, ['dist/gable.js', 'seed'], { env: { PATH: process.env['PATH'], ...environment }, stdio: 'ignore' });
  const service = await startProcess([], environment);
  const admin = new Sequelize(database.url, { logging: false, pool: { max: 1 } });
  try {
    const met: Met = { statuses: new Map(), faults: [], times: [] };
    const samples = await measure(minutes, count, service.url, admin, met);
    return report(samples, met);
  } finally {
    service.child.kill('SIGTERM');
    await service.ended;
    await admin.close();
    await database.drop();
  }
}

async function measure(minutes: number, count: number, url: string, admin: Sequelize, met: Met): Promise<Samples> {
  const trouble = troubles(minutes, admin);
  const stop = new AbortController();
  const served = { url, secret, known: await knownOf(url), isTroubled: trouble.isNow };
  await fillCaches(served, met);
  const clients = runClients(served, count, met, stop.signal);
  const samples = new SampleBook(url, admin, met);
  const warm = Math.min(minutes / 6, 20) * 60_000;
  const begun = performance.now();
  for (let elapsed = 0; elapsed < minutes * 60_000; elapsed = performance.now() - begun) {
    await delay(sampleEvery);
    await trouble.make(elapsed);
    if (elapsed > warm) await samples.add(elapsed / 3_600_000);
    else met.times = [];
  }
  stop.abort();
  await clients;
  return samples.all;
}

// Every hour the database ends all sessions, and once in the middle of a run that is shorter than two.
function troubles(minutes: number, admin: Sequelize): { readonly isNow: () => boolean; readonly make: (elapsed: number) => Promise<void> } {
  const every = Math.min(60, minutes / 2) * 60_000;
  let [made, last] = [0, -Infinity];
  return {
    isNow: () => performance.now() - last < troubledFor,
    make: async (elapsed) => {
      if (Math.floor(elapsed / every) <= made) return;
      made += 1;
      last = performance.now();
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    },
  };
}

async function knownOf(url: string): Promise<Served['known']> {
  const token = await issueToken(
    { subject: 'soak', scopes: ['listing.read.all'], lifetime: 60 },
    { secret, issuer: 'gable', audience: 'gable' },
  );
  const read = async <Row>(path: string): Promise<readonly Row[]> =>
    (
      (await (await fetch(`${url}/odata/${path}`, { headers: { Authorization: `Bearer ${token}` } })).json()) as {
        readonly value: readonly Row[];
      }
    ).value;
  const listings = await read<{ readonly ListingKey: string }>('Property?$select=ListingKey&$top=500');
  const [member] = await read<{ readonly MemberKey: string }>('Member?$select=MemberKey&$top=1');
  return { listings: listings.map(({ ListingKey }) => ListingKey), member: member?.MemberKey ?? '' };
}
