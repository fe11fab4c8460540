import cluster from 'node:cluster';

/**
 * Milliseconds within which a repeated signal counts as one: a terminal, npm and systemd signal every process, and
 * parents forward it.
 */
const echo = 1_000;

/**
 * Resolves on a signal; a second signal, unless it is a repetition, ends the process immediately. Workers ignore the
 * terminal's.
 */
export async function untilSignal(): Promise<void> {
  const signals: readonly NodeJS.Signals[] = cluster.isWorker ? ['SIGTERM'] : ['SIGINT', 'SIGTERM'];
  await new Promise<void>((resolve) => {
    const asked = (): void => {
      resolve();
      setTimeout(() => signals.forEach((signal) => process.off(signal, asked)), echo).unref();
    };
    for (const signal of signals) process.on(signal, asked);
  });
}
