import cluster, { Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../operation/logger.js';
import { answerWorkers } from '../operation/worker-metrics.js';
import { endingSignals, untilSignal } from './until-signal.js';

/** Milliseconds before a crashed worker is replaced, so that one that cannot start does not spin. */
const pause = 1_000;

/** Runs the command in several processes, replaces those that die, and resolves when all have drained after a signal. */
export async function superviseWorkers(count: number, logger: Logger, onReady: (address: string) => void): Promise<number> {
  answerWorkers();
  const crew: Crew = { count, serving: new Set(), complete: false, ending: false };
  // A signal before all workers serve ends the command, too.
  const ended = untilSignal();
  const failed = await Promise.race([
    whenComplete(crew)
      .then(onReady)
      .then(() => ended),
    whenFailed(crew, logger),
    ended,
  ]);
  crew.ending = true;
  await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && endWorker(worker)));
  return failed ?? 0;
}

interface Crew {
  readonly count: number;
  readonly serving: Set<Worker>;
  /** Whether all workers have served; from then on a crashed one is replaced. */
  complete: boolean;
  ending: boolean;
}

// All workers have the same address.
function whenComplete(crew: Crew): Promise<string> {
  return new Promise((resolve) => {
    cluster.on('message', (worker, message: Serving) => {
      if (message.gable !== 'serving') return;
      crew.serving.add(worker);
      crew.complete ||= crew.serving.size === crew.count;
      if (crew.complete) resolve(message.url);
    });
    for (let index = 0; index < crew.count; index++) cluster.fork();
  });
}

// The exit code of a worker that ended before all served; its message is on stderr.
function whenFailed(crew: Crew, logger: Logger): Promise<number> {
  return new Promise((resolve) => {
    cluster.on('exit', (worker, code: number | null, signal: NodeJS.Signals | null) => {
      crew.serving.delete(worker);
      if (crew.ending) return;
      if (!crew.complete) return resolve(code || 1);
      logger.error({ worker: worker.process.pid, code, signal }, 'a worker has ended and is replaced');
      void delay(pause).then(() => crew.ending || cluster.fork());
    });
  });
}

interface Serving {
  readonly gable: 'serving';
  readonly url: string;
  /** The text that introduces the service. */
  readonly introduction?: string | undefined;
}

/** Resolves to the message of a worker when it serves; undefined for a worker that ends before. */
export function whenServing(worker: Worker): Promise<Serving | undefined> {
  return new Promise((resolve) => {
    worker.on('message', (message: Serving) => message.gable === 'serving' && resolve(message));
    worker.once('exit', () => resolve(undefined));
  });
}

/** Lets a worker finish its requests, and resolves when it has ended. */
export async function endWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const gone = new Promise<void>((done) => worker.once('exit', () => done()));
  worker.process.kill('SIGTERM');
  await gone;
}

/** Reports that a worker serves. It ignores the signals that a terminal and systemd send to every process, and ends with the primary. */
export function reportServing(url: string, introduction?: string): void {
  for (const signal of endingSignals) process.on(signal, () => undefined);
  process.send?.({ gable: 'serving', url, introduction } satisfies Serving);
}
