/** Milliseconds within which the same wish comes twice: a terminal, npm and systemd send a signal to every process, and their parents pass it on. */
const echo = 1_000;

/** Resolves when the process is asked to end; asked once more, and not just by an echo, it ends at once, as any process does. */
export async function untilSignal(signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']): Promise<void> {
  await new Promise<void>((resolve) => {
    const asked = (): void => {
      resolve();
      setTimeout(() => signals.forEach((signal) => process.off(signal, asked)), echo).unref();
    };
    for (const signal of signals) process.on(signal, asked);
  });
}
