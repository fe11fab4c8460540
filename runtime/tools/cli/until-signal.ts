import cluster from 'node:cluster';

/** Milliseconds within which a repeated signal counts as one: a terminal, npm and systemd signal every process. */
const echo = 1_000;

/** The signals that end a command: of a terminal, of a supervisor, and of a terminal that is closed. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves on a signal; a second one that is no repetition ends the process. Workers ignore the terminal's. */
export async function untilSignal(): Promise<void> {
  const signals: readonly NodeJS.Signals[] = cluster.isWorker ? ['SIGTERM'] : endingSignals;
  await new Promise<void>((resolve) => {
    const asked = (): void => {
      resolve();
      setTimeout(() => signals.forEach((signal) => process.off(signal, asked)), echo).unref();
    };
    for (const signal of signals) process.on(signal, asked);
  });
}
