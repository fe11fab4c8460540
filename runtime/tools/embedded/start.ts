import { chmodSync, closeSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Answer, SupervisorOptions } from './supervisor-protocol.js';
import { anotherSupervisor, embeddedUrl, forgetSupervisorPort, goodbye, passwords, supervisorPortOf } from './supervisor-protocol.js';
import { logPath } from './postmaster.js';

/** The options of the embedded database. */
export interface EmbeddedOptions {
  /** The folder for data; several processes may use the same one and share its server. */
  readonly directory: string;
  /** False gives up crash safety, for throw-away data only. */
  readonly durable?: boolean;
  /** The time that the server stays after the last process has left; 0 by default. */
  readonly lingerSeconds?: number;
  /** The folder with `bin` and `lib`; by default that of the npm package. */
  readonly nativeDirectory?: string;
  /** Receives notes for the user, one sentence at a time; stderr by default. */
  readonly report?: (sentence: string) => void;
}

/** The embedded database, which runs until this process stops it. */
export interface EmbeddedDatabase {
  readonly url: string;
  /** Whether the server was already running. */
  readonly attached: boolean;
  /** Detaches from the server, which stops with its last client. */
  readonly stop: () => Promise<void>;
}

/** Starts the PostgreSQL of the npm packages, or attaches to the one that already runs for this directory. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  makeDirectory(options.directory);
  const supervisorOptions = supervisorOptionsOf(options);
  const first = await attach(supervisorOptions);
  const report = options.report ?? console.error;
  if (first.started) first.notes.forEach((note) => report(note));
  const hold = keepAttached(first, supervisorOptions);
  return { url: embeddedUrl(supervisorOptions.directory, first.port), attached: !first.started, stop: hold.release };
}

// The server may run as another user, who must be able to enter whatever the umask. Secret files have their own modes.
function makeDirectory(directory: string): void {
  const made = mkdirSync(directory, { recursive: true });
  if (made !== undefined) chmodSync(directory, 0o755);
}

function supervisorOptionsOf(options: EmbeddedOptions): SupervisorOptions {
  return {
    directory: realpathSync(options.directory),
    durable: options.durable ?? true,
    lingerSeconds: options.lingerSeconds ?? 0,
    ...(options.nativeDirectory !== undefined && { nativeDirectory: realpathSync(options.nativeDirectory) }),
  };
}

// A killed supervisor leaves its server running; a new one adopts it.
function keepAttached(first: Attachment, options: SupervisorOptions): { readonly release: () => Promise<void> } {
  let current: Attachment | undefined;
  let released = false;
  const hold = (attachment: Attachment): void => {
    current = attachment;
    // The connection alone must not keep a process alive.
    attachment.socket.unref().once('close', () => void lost());
  };
  const lost = async (): Promise<void> => {
    if (released) return;
    try {
      const found = await attach(options);
      // Released while reconnecting.
      if (released) found.socket.destroy();
      else hold(found);
    } catch (error) {
      console.error('The embedded database is lost:', error);
    }
  };
  hold(first);
  const release = async (): Promise<void> => {
    released = true;
    if (current !== undefined) await closed(current);
  };
  return { release };
}

function closed({ socket }: Attachment): Promise<void> {
  if (socket.closed) return Promise.resolve();
  return new Promise((resolve) => {
    socket
      .ref()
      .once('close', () => resolve())
      .end(`${goodbye}\n`);
  });
}

/** An open connection to the supervisor, which keeps the server running. */
type Attachment = Exclude<Answer, { failure: string }> & { readonly socket: Socket };

const patienceSeconds = 120;

/** Milliseconds of silence after which a supervisor's port is taken for another program's. */
const silence = 5_000;

/** Attaches to the supervisor of a directory, starting it if necessary. */
async function attach(options: SupervisorOptions): Promise<Attachment> {
  const deadline = Date.now() + patienceSeconds * 1000;
  let supervisor: ChildProcess | undefined;
  while (Date.now() < deadline) {
    const met = await meetSupervisor(options.directory);
    if (typeof met === 'object') return met;
    if (met === 'stranger') forgetSupervisorPort(options.directory);
    if (met === 'nobody' && !isStarting(supervisor, options)) supervisor = startSupervisor(options);
    await delay(5);
  }
  throw new Error(`The embedded database did not respond within ${patienceSeconds} seconds; see ${logPath(options.directory)}.`);
}

function isStarting(supervisor: ChildProcess | undefined, options: SupervisorOptions): boolean {
  if (supervisor === undefined || supervisor.exitCode === anotherSupervisor || supervisor.exitCode === 0) return false;
  if (supervisor.exitCode === null && supervisor.signalCode === null) return true;
  throw new Error(`The supervisor of the embedded database failed; see ${logPath(options.directory)}.`);
}

// Detached, so that neither Ctrl-C nor the end of this process stops the server for others.
function startSupervisor(options: SupervisorOptions): ChildProcess {
  const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...env } = process.env;
  const log = openSync(logPath(options.directory), 'a', 0o600);
  const program = fileURLToPath(new URL('./supervisor.js', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    cwd: '/',
    detached: true,
    env,
    stdio: ['ignore', log, log],
    windowsHide: true,
  });
  closeSync(log);
  child.unref();
  return child;
}

type Refusal = 'nobody' | 'busy' | 'stranger';

// `busy` means that the supervisor is stopping: it closes the connection without an answer.
function meetSupervisor(directory: string): Promise<Attachment | Refusal> {
  const { hello, welcome } = passwords(directory);
  return new Promise((resolve, reject) => {
    const socket = connect(supervisorPortOf(directory), '127.0.0.1');
    const giveUp = (why: Refusal): void => {
      stopWaiting();
      socket.destroy();
      resolve(why);
    };
    const stopWaiting = afterSilence(() => giveUp('stranger'));
    const refused = (): void => giveUp('busy');
    socket.once('connect', () => socket.write(`${hello}\n`));
    socket.on('error', (error: NodeJS.ErrnoException) => giveUp(error.code === 'ECONNREFUSED' ? 'nobody' : 'busy'));
    socket.once('close', refused);
    onLines(socket, ([word, answer]) => {
      if (word !== welcome) return giveUp('stranger');
      stopWaiting();
      if (answer === undefined) return;
      socket.off('close', refused);
      settle(JSON.parse(answer) as Answer, socket, resolve, reject);
    });
  });
}

// Half of the time is measured again after the event loop has run: after a pause of this process the answer may be
// unread, and starting a second supervisor would end the server under the clients of the first.
function afterSilence(then: () => void): () => void {
  let isOver = false;
  const unlessOver = (next: () => void) => (): void => void (isOver || next());
  const wait = (next: () => void): void => void setTimeout(unlessOver(next), silence).unref();
  wait(() => wait(() => void setImmediate(unlessOver(then))));
  return () => void (isOver = true);
}

function settle(answer: Answer, socket: Socket, resolve: (attachment: Attachment) => void, reject: (error: Error) => void): void {
  if ('failure' in answer) reject(new Error(answer.failure));
  else resolve({ socket, ...answer });
}

// Calls back with all lines so far, at every new one; the supervisor sends at most two.
function onLines(socket: Socket, take: (lines: readonly string[]) => void): void {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const lines = text.split('\n').slice(0, -1);
    if (chunk.includes('\n')) take(lines);
  });
}
