import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../runtime/config/config.js';
import { issueToken } from '../../runtime/identity/authenticate.js';
import { walkPageSize } from '../workloads/workloads.js';
import type { Pinning } from './pinning.js';

/** A server under measurement. */
export interface BenchServer {
  readonly port: number;
  readonly pid: number;
  /** Header lines that every request to it carries. */
  readonly headers: string;
  readonly stop: () => Promise<void>;
}

/** How the processes of the servers are started. */
export interface StartOptions {
  readonly databaseUrl: string;
  readonly pinning: Pinning;
  readonly nodeArguments?: readonly string[];
}

/** The server without OData. */
export async function startFloor(options: StartOptions): Promise<BenchServer> {
  return start('../floor/server.js', [], {}, '', options);
}

/** The product, as a user starts it, with a token that may do everything. */
export async function startGable(options: StartOptions, member: string, script = '../../gable.js'): Promise<BenchServer> {
  const secret = randomBytes(32).toString('base64url');
  const claims = { subject: 'bench', scopes: ['listing.read.all', 'listing.write'], member, lifetime: 24 * 3600 };
  const token = await issueToken(claims, readConfig({ GABLE_SECRET: secret }).token);
  const headers = `Authorization: Bearer ${token}\r\nPrefer: maxpagesize=${walkPageSize}\r\nOData-MaxVersion: 4.01\r\n`;
  return start(script, ['serve', '--port', '0'], { ...patience, GABLE_SECRET: secret }, headers, options);
}

// Sixteen averages of a million listings at a time take longer than a request may; a 503 would end the run.
const patience = { GABLE_ACQUIRE_TIMEOUT: '60000', GABLE_STATEMENT_TIMEOUT: '60000' };

/** The product from its modules instead of their bundle, for profiles and for a changed model. */
export function startModules(options: StartOptions, member: string): Promise<BenchServer> {
  return startGable(options, member, 'modules.js');
}

/** The same, changed by a script of this folder that is loaded before. */
export function startChanged(script: 'untracked.js' | 'events-table.js', options: StartOptions, member: string): Promise<BenchServer> {
  return startModules({ ...options, nodeArguments: ['--import', new URL(script, import.meta.url).href] }, member);
}

async function start(
  script: string,
  args: readonly string[],
  settings: { readonly [name: string]: string },
  headers: string,
  options: StartOptions,
): Promise<BenchServer> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const [command = '', ...rest] = options.pinning.onServerCore([process.execPath, ...(options.nodeArguments ?? []), file, ...args]);
  const env = { ...process.env, ...settings, DATABASE_URL: options.databaseUrl };
  const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await portOf(child, script);
  return { port, pid: child.pid ?? 0, headers, stop: () => stop(child) };
}

// Both servers print the address that they listen on.
function portOf(child: ChildProcess, script: string): Promise<number> {
  return new Promise((found, fail) => {
    let said = '';
    child.once('error', fail).once('exit', () => fail(new Error(`${script} ended before it served.`)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const [, port] = /http:\/\/[^:\s]+:(\d+)\//.exec((said += text)) ?? [];
      if (port !== undefined) found(Number(port));
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((ended) => {
    child.once('exit', () => ended());
    child.kill('SIGTERM');
  });
}
