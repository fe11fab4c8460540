import { createServer, type Server, type Socket } from 'node:net';
import { anotherSupervisor, type Answer, goodbye, passwords, type SupervisorOptions, supervisorPortOf } from './supervisor-protocol.js';
import { superviseServer, type SupervisedServer } from './supervised-server.js';

// One supervisor per directory keeps the server running while a process is attached. A process is attached while its
// connection to the supervisor is open: the system closes it however the process ends, kill -9 included, and unlike a
// process id it is never reused. The supervisor stops listening only after the server has stopped, so that nobody can
// attach to a stopping server.

interface Supervision {
  readonly options: SupervisorOptions;
  readonly listener: Server;
  readonly server: Promise<SupervisedServer>;
  readonly attached: Set<Socket>;
  timer: NodeJS.Timeout | undefined;
  welcomed: boolean;
  stopping: boolean;
}

const firstProcessSeconds = 10;

/** A killed process that is restarted finds the server running: stopping and starting it takes longer. */
const killedProcessSeconds = 3;

function supervise(options: SupervisorOptions): void {
  const listener = createServer({ allowHalfOpen: true });
  listener.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    process.exit(anotherSupervisor);
  });
  listener.listen(supervisorPortOf(options.directory), '127.0.0.1', () => begin(options, listener));
}

function begin(options: SupervisorOptions, listener: Server): void {
  const server = superviseServer(options);
  const supervision: Supervision = { options, listener, server, attached: new Set(), timer: undefined, welcomed: false, stopping: false };
  server.catch(() => setTimeout(() => process.exit(1), 1000));
  listener.on('connection', (socket) => meet(supervision, socket));
  stopLater(supervision, firstProcessSeconds);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(supervision));
}

// Clients without the password get no answer.
function meet(supervision: Supervision, socket: Socket): void {
  const { hello, welcome } = passwords(supervision.options.directory);
  socket.on('error', () => socket.destroy());
  socket.setEncoding('utf8').once('data', (line: string) => {
    if (line !== `${hello}\n` || supervision.stopping) return void socket.destroy();
    socket.write(`${welcome}\n`);
    attach(supervision, socket);
  });
}

function attach(supervision: Supervision, socket: Socket): void {
  clearTimeout(supervision.timer);
  supervision.attached.add(socket);
  let received = '';
  const departed = (): void => leave(supervision, socket, received.includes(goodbye) ? 0 : killedProcessSeconds);
  socket
    .on('data', (text: string) => (received += text))
    .once('end', departed)
    .once('close', departed);
  supervision.server.then(
    (server) => say(socket, { port: server.port(), started: server.started && isFirst(supervision), notes: server.notes }),
    (error: Error) => say(socket, { failure: error.message }),
  );
}

function isFirst(supervision: Supervision): boolean {
  const first = !supervision.welcomed;
  supervision.welcomed = true;
  return first;
}

function say(socket: Socket, answer: Answer): void {
  if (socket.writable) socket.write(`${JSON.stringify(answer)}\n`);
}

// The last process to leave waits until the server has stopped; the others are released immediately.
function leave(supervision: Supervision, socket: Socket, expectedSeconds: number): void {
  if (!supervision.attached.delete(socket)) return;
  const seconds = Math.max(supervision.options.lingerSeconds, expectedSeconds);
  if (supervision.attached.size > 0 || seconds > 0) socket.end();
  if (supervision.attached.size === 0) stopLater(supervision, seconds);
}

function stopLater(supervision: Supervision, seconds: number): void {
  if (seconds === 0) return void stop(supervision);
  supervision.timer = setTimeout(() => void stop(supervision), seconds * 1000);
}

async function stop(supervision: Supervision): Promise<void> {
  if (supervision.stopping) return;
  supervision.stopping = true;
  const server = await supervision.server.catch(() => undefined);
  await server?.stop();
  process.exit(0);
}

supervise(JSON.parse(process.argv[2] ?? '') as SupervisorOptions);
