import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { readSettings } from '../../runtime/config/config.js';
import { choosePlace } from '../../runtime/tools/embedded/place.js';
import { hasPgBouncer, preparedStatements } from '../database/pgbouncer.js';
import { freePort } from '../support/free-port.js';
import { runGable } from '../support/run-command.js';
import { secret } from '../support/service.js';
import { startProcess } from './serve-process.js';
import { until } from './until.js';

interface Compose {
  readonly services: {
    readonly [name: string]: { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> };
  };
  readonly configs: { readonly [name: string]: { readonly content: string } };
}

const password = 'word-of-the-test';
const { services, configs } = parse(
  readFileSync('compose.yaml', 'utf8')
    .replaceAll(/\$\{POSTGRES_PASSWORD:[^}]*\}/g, password)
    .replaceAll(/\$\{GABLE_SECRET:[^}]*\}/g, secret)
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replaceAll('$$', '$'),
  { merge: true },
) as Compose;

// Debian's PostgreSQL has the programs that the embedded one lacks.
const installed = '/usr/lib/postgresql';
const [newest] = existsSync(installed) ? readdirSync(installed).toSorted((a, b) => Number(b) - Number(a)) : [];
const path = [join(installed, newest ?? '', 'bin'), process.env['PATH'], '/usr/sbin'].join(delimiter);
const isInstalled = hasPgBouncer && newest !== undefined;
const whenInstalled = isInstalled ? test : test.skip;
if (!isInstalled) test('PgBouncer or PostgreSQL is not installed: the profile is not started', (t) => t.pass());

test('the profile has known settings', (t) => {
  t.deepEqual(readSettings(services['scaled']?.environment ?? {}).faults, []);
});

whenInstalled('the profile with pooler and replica serves, as its commands and configurations start it', async (t) => {
  t.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'gable-scale-'));
  chmodSync(folder, 0o755);
  const { account } = choosePlace(folder);
  const children: ChildProcess[] = [];
  t.teardown(async () => {
    await Promise.all(
      children.map(async (child) => {
        const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
        child.kill('SIGINT');
        await ended;
      }),
    );
    rmSync(folder, { recursive: true });
  });
  const own = (name: string): string => {
    const made = join(folder, name);
    mkdirSync(made, { mode: 0o700 });
    if (account !== undefined) chownSync(made, account.uid, account.gid);
    return made;
  };
  const ports = { database: await freePort(), replica: await freePort(), pooler: await freePort() };
  const here = (text: string): string =>
    text
      .replaceAll(/@(database|replica|pooler):\d+/g, (_all, name: keyof typeof ports) => `@127.0.0.1:${ports[name]}`)
      .replace('host=database port=5432', `host=127.0.0.1 port=${ports.database}`)
      .replace('listen_addr = *', 'listen_addr = 127.0.0.1')
      .replace('listen_port = 6432', `listen_port = ${ports.pooler}`)
      .replace('/etc/pgbouncer.users', join(folder, 'users'))
      .replace(/^max_prepared_statements.*\n/m, preparedStatements(200) === undefined ? '' : '$&');
  const start = (command: readonly string[], environment: Readonly<Record<string, string>>): void => {
    const [program = '', ...args] = command;
    children.push(spawn(program, args, { ...account, cwd: '/', env: { PATH: path, ...environment }, stdio: 'ignore' }));
  };

  // The image makes the database, and runs the configuration for replication.
  const data = own('data');
  writeFileSync(join(folder, 'password'), password);
  execFileSync('initdb', ['-D', data, '-U', 'gable', '-A', 'scram-sha-256', `--pwfile=${join(folder, 'password')}`, '-E', 'UTF8'], {
    ...account,
    cwd: '/',
    env: { PATH: path },
    stdio: 'ignore',
  });
  execFileSync('sh', ['-c', configs['replication']?.content ?? ''], { env: { PATH: path, PGDATA: data } });
  appendFileSync(join(data, 'postgresql.conf'), `listen_addresses = '127.0.0.1'\nport = ${ports.database}\nunix_socket_directories = ''\n`);
  start(['postgres'], { PGDATA: data });
  const admin = `postgres://gable:${password}@127.0.0.1:${ports.database}/postgres`;
  const answers = (url: string): Promise<boolean> =>
    Promise.resolve()
      .then(() => {
        execFileSync('psql', [url, '-c', 'select 1'], { env: { PATH: path }, stdio: 'ignore' });
        return true;
      })
      .catch(() => false);
  await until(() => answers(admin));
  execFileSync('psql', [admin, '-c', 'create database gable'], { env: { PATH: path }, stdio: 'ignore' });

  const environmentOf = (name: string): Record<string, string> =>
    Object.fromEntries(Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, here(value)]));
  for (const name of ['migrate', 'prepare']) {
    const { status, stderr } = await runGable([...(services[name]?.command ?? [])], environmentOf(name));
    t.is(status, 0, stderr);
  }
  // A second server on one machine needs another port.
  const replica = join(own('replica'), 'data');
  const [shell = '', option = '', script = ''] = services['replica']?.command ?? [];
  start([shell, option, script.replace('exec postgres', `exec postgres -p ${ports.replica}`)], {
    ...environmentOf('replica'),
    PGDATA: replica,
  });
  await until(() => answers(environmentOf('scaled')['DATABASE_REPLICAS'] ?? ''));
  writeFileSync(join(folder, 'users'), configs['users']?.content ?? '');
  writeFileSync(join(folder, 'pooler.ini'), here(configs['pooler']?.content ?? ''));
  start([services['pooler']?.command[0] ?? '', join(folder, 'pooler.ini')], {});
  await until(() => answers(environmentOf('scaled')['DATABASE_URL'] ?? ''));

  const { GABLE_PUBLIC_URL: _address, ...scaled } = environmentOf('scaled');
  const served = await startProcess([], scaled);
  t.teardown(() => served.child.kill('SIGTERM'));
  t.notRegex(served.log(), /ALTER ROLE/);
  await until(async () => {
    const ready = (await (await fetch(`${served.url}/health/ready`)).json()) as { readonly replicas: { readonly serving: number } };
    return ready.replicas.serving === 1;
  });
  t.is((await fetch(`${served.url}/health/ready`)).status, 200);
});
