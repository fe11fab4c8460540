/** Resolves when the process is asked to end; asked once more, it ends at once, as any process does. */
export async function untilSignal(signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']): Promise<void> {
  await new Promise<void>((resolve) => {
    const asked = (): void => {
      for (const signal of signals) process.off(signal, asked);
      resolve();
    };
    for (const signal of signals) process.on(signal, asked);
  });
}
