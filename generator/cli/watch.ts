import { watch as watchFolder } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { exitCodes } from './exit-codes.js';
import { report, type ReportOptions } from './print-outcome.js';
import { runOnce, type RunOptions } from './run-once.js';

/** Runs now, and after every change in the model's folder, until the process is stopped. */
export async function watch(options: RunOptions & ReportOptions): Promise<number> {
  const folder = dirname(resolve(options.model));
  const changes = changesOf([folder]);
  process.stderr.write(`Watching ${dirname(options.model)}; stop with Ctrl+C.\n`);
  do {
    report(await runOnce(options), options);
  } while (await changes.next());
  return exitCodes.ok;
}

/** An editor writes a file in several steps; a run begins after a pause of this length. */
const quietMilliseconds = 60;

/**
 * Waits for changes in folders: `next` resolves to true after a change, and to false when the process is to stop. Changes
 * during a run cause one more run.
 */
export function changesOf(folders: readonly string[]): { readonly next: () => Promise<boolean> } {
  let state: 'quiet' | 'changed' | 'stopped' = 'quiet';
  let wake: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const become = (next: 'changed' | 'stopped'): void => {
    if (state !== 'stopped') state = next;
    wake?.();
  };
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => become('changed'), quietMilliseconds);
  };
  const watchers = folders.map((folder) => watchFolder(folder, { recursive: true }, changed));
  const stop = (): void => {
    watchers.forEach((watcher) => watcher.close());
    clearTimeout(timer);
    become('stopped');
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return {
    next: async () => {
      if (state === 'quiet') await new Promise<void>((woken) => (wake = woken));
      const again = state === 'changed';
      if (again) state = 'quiet';
      return again;
    },
  };
}
