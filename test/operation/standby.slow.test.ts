import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { inPlace, seed, targetOf, type Place } from '../drill/place.js';
import { startPrimary, startStandby, type Server } from '../drill/server.js';
import { runGable } from '../support/run-command.js';
import { startProcess } from './serve-process.js';
import { until } from './until.js';

test('on a standby, reads work, and readiness, log, writes and commands say that it accepts no changes', async (t) => {
  await onStandby(async (environment, standby) => {
    const served = await serveAt(t, environment);
    t.regex(served.log(), /The database accepts no changes: it is a standby, .* set GABLE_READ_ONLY=true\./);
    t.deepEqual(await readinessOf(served.url), [503, { status: 'down', database: 'read-only', migrations: 'current', draining: false }]);
    t.deepEqual(await write(served), [
      503,
      '1507',
      'The database accepts no changes at present: its server is a standby, or set to be read-only.',
    ]);
    for (const [command, ...options] of changing) {
      const { status, stderr } = await runGable([...command.split(' '), ...options], environment);
      const rest = `${command === 'migrate' ? 'migrate apply' : command} on its primary server.`;
      t.deepEqual(
        [status, stderr],
        [2, `gable: The database accepts no changes: it is a standby, or set to be read-only; run gable ${rest}\n`],
      );
    }
    t.is((await runGable(['migrate', 'status'], environment)).status, 0);

    const reading = await serveAt(t, { ...environment, GABLE_READ_ONLY: 'true' });
    t.false(reading.log().includes('accepts no changes'));
    t.deepEqual(await readinessOf(reading.url), [200, { status: 'up', database: 'read-only', migrations: 'current', draining: false }]);
    t.deepEqual(await write(reading), [
      405,
      '1405',
      'POST is not supported here; the supported methods are: GET, HEAD. This service only reads.',
    ]);

    await standby.run('SELECT pg_promote()');
    await until(async () => (await readinessOf(served.url))[0] === 200);
    const { schema, ...ready } = (await readinessOf(served.url))[1] as { readonly schema: string };
    t.regex(schema, /current|unknown/);
    t.deepEqual(ready, { status: 'up', database: 'up', migrations: 'current', draining: false });
    t.is((await write(served))[0], 201);
    t.is((await write(reading))[0], 405, 'also on a primary server');
  });
});

const changing: readonly (readonly [command: string, ...options: string[]])[] = [
  ['migrate'],
  ['migrate verify'],
  ['seed'],
  ['client add', 'feed', '--scope', 'listing.read'],
];

type Environment = Place['environment'];

function onStandby(work: (environment: Environment, standby: Server) => Promise<void>): Promise<void> {
  return inPlace(async ({ directory, environment }) => {
    const [first, second] = ['first', 'second'].map((name) => join(directory, name)) as [string, string];
    for (const folder of [first, second]) mkdirSync(folder, { mode: 0o755 });
    const servers = [await startPrimary(first)];
    try {
      const [primary] = servers as [Server];
      seed({ directory, environment: { ...environment, DATABASE_URL: primary.url } });
      const standby = await startStandby(primary, first, second);
      servers.push(standby);
      await work({ ...environment, GABLE_LOG_LEVEL: 'warn', GABLE_LOG_REQUESTS: 'none', DATABASE_URL: standby.url }, standby);
    } finally {
      await Promise.all(servers.map((server) => server.end('SIGQUIT')));
    }
  });
}

type Served = Awaited<ReturnType<typeof startProcess>>;

async function serveAt(t: ExecutionContext, environment: Environment): Promise<Served> {
  const served = await startProcess([], environment);
  t.teardown(() => void served.child.kill('SIGTERM'));
  return served;
}

async function readinessOf(url: string): Promise<readonly [status: number, body: unknown]> {
  const response = await fetch(`${url}/health/ready`);
  return [response.status, await response.json()];
}

interface ErrorBody {
  readonly error?: { readonly code: string; readonly message: string };
}

// Reads a member first.
async function write(served: Served): Promise<readonly [status: number, code: string | undefined, message: string | undefined]> {
  const { token, member } = await targetOf(served);
  const response = await fetch(`${served.url}/odata/Property`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ListAgentKey: member,
      ListOfficeKey: member,
      PropertyType: 'Residential',
      StreetNumber: '1',
      StreetName: 'A',
      City: 'B',
    }),
  });
  const { error } = (await response.json()) as ErrorBody;
  return [response.status, error?.code, error?.message];
}
