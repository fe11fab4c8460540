import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { connect } from '../../runtime/database/connect.js';
import { freePort } from '../support/free-port.js';
import { until } from '../operation/until.js';
import { withConnection } from '../../runtime/database/run.js';

/** A PgBouncer in front of a database. */
export interface PgBouncer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

// Debian installs it where only the paths of administrators lead.
const path = [process.env['PATH'], '/usr/sbin', '/usr/local/sbin'].join(delimiter);

const version = spawnSync(program(), ['--version'], { env: { PATH: path }, encoding: 'utf8' });

/** Whether the program is installed; PGBOUNCER names another one. */
export const hasPgBouncer = version.status === 0;

/** The setting for a number of prepared statements; undefined for a version that does not support them. */
export function preparedStatements(most: number): string | undefined {
  const [, minor] = /^PgBouncer 1\.(\d+)/.exec(version.stdout ?? '') ?? [];
  return Number(minor) < 21 ? undefined : `max_prepared_statements = ${most}`;
}

function program(): string {
  return process.env['PGBOUNCER'] ?? 'pgbouncer';
}

/** Starts one with four server connections for all clients. */
export async function startPgBouncer(databaseUrl: string, settings: readonly string[]): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'gable-pgbouncer-'));
  const target = new URL(databaseUrl);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, configuration(target, port, settings));
  // It does not run as root, but as another user, who must be able to read the file.
  chmodSync(folder, 0o755);
  const child = spawn(program(), [file], { env: { PATH: path }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href;
  await until(() => answers(url));
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function configuration({ hostname, port, username, password, pathname }: URL, listen: number, settings: readonly string[]): string {
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`;
  return [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${port || 5432} user=${decodeURIComponent(username)}${secret}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listen}`,
    'unix_socket_dir =',
    'auth_type = any',
    'default_pool_size = 4',
    ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
    ...settings,
    '',
  ].join('\n');
}

async function answers(url: string): Promise<boolean> {
  const pool = connect(url, { poolSize: 1 });
  try {
    await withConnection(pool, ({ run }) => run({ text: 'select 1', bind: [] }));
    return true;
  } catch {
    return false;
  } finally {
    await pool.close();
  }
}
