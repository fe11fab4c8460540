import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, openSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Binaries, program } from './binaries.js';
import type { Place } from './place.js';

/** A running server. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>;
}

/** The options of a server. */
export interface PostmasterOptions {
  readonly binaries: Binaries;
  readonly place: Place;
  readonly durable: boolean;
  readonly log: ServerLog;
}

/** The running server of a killed supervisor; removes the file of a dead server. */
export async function adoptPostmaster({ dataDirectory }: Place): Promise<Postmaster | undefined> {
  for (;;) {
    const file = readPostmasterFile(dataDirectory);
    if (file === undefined) return undefined;
    if (!isPostmaster(file.pid, dataDirectory)) break;
    if (file.ready) return { pid: file.pid, port: file.port, exited: untilGone(file.pid, dataDirectory) };
    // It is starting or stopping.
    await delay(20);
  }
  rmSync(join(dataDirectory, 'postmaster.pid'), { force: true });
  return undefined;
}

/** Starts the server and waits until it accepts connections. */
export async function startPostmaster(options: PostmasterOptions, fixedPort?: number): Promise<Postmaster> {
  const patience = Date.now() + 20_000;
  for (;;) {
    const mark = options.log.size();
    const port = fixedPort ?? (await freePort());
    const child = spawnServer(options, port);
    if (await becomesReady(child, options.place.dataDirectory)) return { pid: child.pid ?? 0, port, exited: exitOf(child) };
    const output = options.log.since(mark);
    if (!isPassing(output) || Date.now() > patience) throw new Error(`The embedded database did not start:\n${output.trim()}`);
    await delay(200);
  }
}

/** Ends the sessions and stops the server; after a timeout it is killed, and recovers at the next start. */
export async function stopPostmaster(postmaster: Postmaster, { binaries, place }: PostmasterOptions): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals: process.kill would end the server without a checkpoint.
    spawnSync(program(binaries, 'pg_ctl'), ['stop', '-D', place.dataDirectory, '-m', 'fast'], { windowsHide: true });
    return;
  }
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!isPostmaster(postmaster.pid, place.dataDirectory)) return;
    process.kill(postmaster.pid, signal);
    const timer = new AbortController();
    await Promise.race([postmaster.exited, delay(15_000, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
  }
}

// Loopback only, and no socket file, whose path may be too long and whose folder may be shared.
function spawnServer({ binaries, place, durable, log }: PostmasterOptions, port: number): ChildProcess {
  // Transactions are short, so deadlocks are detected before the default of a second.
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC', 'log_timezone=UTC', 'deadlock_timeout=200ms'];
  // After a crash the server syncs its files one by one, which takes seconds on a busy disk.
  const recovery = process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : [];
  // Throw-away data is that of tests: four files at a time, each with up to 50 connections.
  const ofTests = durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=250'];
  const options = [...settings, ...recovery, ...ofTests].flatMap((setting) => ['-c', setting]);
  return spawn(program(binaries, 'postgres'), ['-D', place.dataDirectory, '-p', String(port), ...options], {
    ...place.account,
    cwd: '/',
    stdio: ['ignore', log.descriptor, log.descriptor],
    windowsHide: true,
  });
}

async function becomesReady(child: ChildProcess, dataDirectory: string): Promise<boolean> {
  const failure = new Promise<Error>((resolve) => child.once('error', resolve));
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) return false;
    const file = readPostmasterFile(dataDirectory);
    if (file?.pid === child.pid && file?.ready) return true;
    const error = await Promise.race([failure, delay(5)]);
    if (error !== undefined) throw error;
  }
}

// Sessions of a killed server end shortly after it, and a free port may be taken before the server binds it.
function isPassing(output: string): boolean {
  return /shared memory block|could not bind|could not create any TCP\/IP sockets/.test(output);
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

// The end of another process can only be polled; its id may stay in use until it is reaped.
async function untilGone(pid: number, dataDirectory: string): Promise<void> {
  while (isPostmaster(pid, dataDirectory)) await delay(20);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** The content of the server's `postmaster.pid`. */
interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** Reads `postmaster.pid`; undefined while it is missing or incomplete. */
export function readPostmasterFile(dataDirectory: string): PostmasterFile | undefined {
  // Line 1 is the process id, line 4 the port, line 8 the state (PostgreSQL's miscadmin.h).
  const lines = linesOf(join(dataDirectory, 'postmaster.pid'));
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : undefined;
}

// A starting server replaces the file of a killed one between two reads.
function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Whether a process is the server of this data; after a reboot or in a container its id may be another program's. */
export function isPostmaster(pid: number, dataDirectory: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  const command = existsSync('/proc/self/cmdline')
    ? commandFromProc(pid)
    : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return command.includes('postgres') && command.includes(dataDirectory);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function commandFromProc(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // The process has ended; an unreaped one has no command either.
    return '';
  }
}

/** The server's log, which explains a failed start. */
interface ServerLog {
  readonly descriptor: number;
  readonly size: () => number;
  /** The text written after a size. */
  readonly since: (size: number) => string;
}

const largestLog = 10 * 1024 * 1024;

/** The path of a directory's log. */
export function logPath(directory: string): string {
  return join(directory, 'postgres.log');
}

/** Opens the log for appending; a large one is rotated once to `postgres.log.1`. */
export function openLog(directory: string): ServerLog {
  const path = logPath(directory);
  if (existsSync(path) && statSync(path).size > largestLog) renameSync(path, `${path}.1`);
  const descriptor = openSync(path, 'a', 0o600);
  return {
    descriptor,
    size: () => statSync(path).size,
    since: (size) => readFileSync(path).subarray(size).toString('utf8'),
  };
}
