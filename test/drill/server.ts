import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { choosePlace, give, type Place } from '../../runtime/tools/embedded/place.js';
import { type Binaries, findBinaries, program, runnableBinaries } from '../../runtime/tools/embedded/binaries.js';
import { createCluster } from '../../runtime/tools/embedded/supervised-server.js';
import { userName } from '../../runtime/tools/embedded/supervisor-protocol.js';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import type { Row } from '../../runtime/sql/statement.js';
import { freePort } from '../support/free-port.js';
import { until } from '../operation/until.js';

/** A PostgreSQL server that nobody starts again when it dies. */
export interface Server {
  readonly url: string;
  readonly port: number;
  readonly run: (text: string) => Promise<readonly Row[]>;
  /** Sends a signal to all its processes: SIGSTOP, and SIGCONT. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Ends it with a signal: SIGKILL, as a machine that dies ends all its processes, or SIGQUIT, which leaves the rest to recovery. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

const password = 'a password of the drills';

/** Makes an empty server in a folder. */
export async function startPrimary(directory: string): Promise<Server> {
  const place = choosePlace(directory);
  const binaries = runnableBinaries(findBinaries(), place.account, place.folder);
  await createCluster(binaries, place, { password, durable: true });
  return startServer(place, binaries);
}

/** Makes a copy of a server in another folder, which follows it from then on and may only be read. */
export async function startStandby(primary: Server, from: string, directory: string): Promise<Server> {
  const source = choosePlace(from);
  const { account, dataDirectory, folder } = { ...choosePlace(directory), account: source.account };
  const pool = connect(primary.url, { statementTimeout: 0, poolSize: 1 });
  // Both in one session (PostgreSQL manual, "Making a Base Backup").
  const label = await withConnection(pool, async ({ run }) => {
    await run({ text: "SELECT pg_backup_start('standby', true)", bind: [] });
    execFileSync('cp', ['-a', source.dataDirectory, dataDirectory]);
    const [row] = await run({ text: 'SELECT labelfile FROM pg_backup_stop(false)', bind: [] });
    return row?.[0] ?? '';
  });
  await pool.close();
  rmSync(join(dataDirectory, 'postmaster.pid'));
  appendFileSync(
    join(dataDirectory, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=${userName} password=''${password}'''\n`,
  );
  for (const [name, text] of [
    ['standby.signal', ''],
    ['backup_label', label],
  ] as const) {
    writeFileSync(join(dataDirectory, name), text);
    give(account, join(dataDirectory, name));
  }
  return startServer({ account, dataDirectory, folder }, runnableBinaries(findBinaries(), account, dirname(dataDirectory)));
}

async function startServer({ account, dataDirectory }: Place, binaries: Binaries): Promise<Server> {
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap((setting) => ['-c', setting]);
  const child = spawn(program(binaries, 'postgres'), ['-D', dataDirectory, '-p', String(port), ...settings], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  const url = `postgres://${userName}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
  const run = (text: string): Promise<readonly Row[]> => runOnce(url, text);
  await until(() =>
    run('SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  return { url, port, run, signal: (signal) => signalAll(child, signal), end: (signal) => endChild(child, signal) };
}

async function runOnce(url: string, text: string): Promise<readonly Row[]> {
  const pool = connect(url, { statementTimeout: 0, poolSize: 1 });
  return withConnection(pool, ({ run }) => run({ text, bind: [] })).finally(() => pool.close());
}

function signalAll({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  const children = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
  for (const each of [pid, ...children.map(Number)]) sendSignal(each, signal);
}

// A child may have ended since it was listed.
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  // A process that waits for the standby when its parent dies commits without it, so no process may live longer than another.
  if (signal === 'SIGKILL') signalAll(child, 'SIGSTOP');
  if (signal === 'SIGKILL') signalAll(child, 'SIGKILL');
  else child.kill(signal);
  // A frozen process sees a signal when it goes on.
  child.kill('SIGCONT');
  await ended;
}
