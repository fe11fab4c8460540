import cluster from 'node:cluster';

/**
 * Milliseconds within which a repeated signal counts as one: a terminal, npm and systemd signal every process, and
 * parents forward it.
 */
const echo = 1_000;

/** The signals that end a process: of workers, the terminal's is ignored. */
export function endSignals(): readonly NodeJS.Signals[] {
  return cluster.isWorker ? ['SIGTERM'] : ['SIGINT', 'SIGTERM'];
}

/** Resolves on a signal; a second signal, unless it is a repetition, ends the process immediately. */
export async function untilSignal(signals = endSignals()): Promise<void> {
  await new Promise<void>((resolve) => {
    const asked = (): void => {
      resolve();
      setTimeout(() => signals.forEach((signal) => process.off(signal, asked)), echo).unref();
    };
    for (const signal of signals) process.on(signal, asked);
  });
}
