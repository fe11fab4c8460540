import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { forgetSupervisorPort, passwords, supervisorPortOf } from './credentials.js';
import { logPath } from './server-log.js';
import { anotherSupervisor, type Answer, type SupervisorOptions } from './supervisor-protocol.js';

/** An open connection to the supervisor, which keeps the server running. */
export interface Attachment {
  readonly socket: Socket;
  readonly port: number;
  readonly started: boolean;
  readonly notes: readonly string[];
}

const patienceSeconds = 120;

/** Milliseconds of silence after which a supervisor's port is taken for another program's. */
const silence = 5_000;

/** Attaches to the supervisor of a directory, starting it if necessary. */
export async function attach(options: SupervisorOptions): Promise<Attachment> {
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
