import { existsSync, readdirSync, statSync, watch as watchFolder, type FSWatcher } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { UsageError } from '../config/config.js';
import { configPaths } from '../config/load-config.js';
import { exitCodes } from './exit-codes.js';
import { report, type ReportOptions } from './print-outcome.js';
import { runOnce, type RunOptions } from './run-once.js';

/** Runs now, and after every change in the model's folder or of the configuration, until the process is stopped. */
export async function watch(choose: () => Promise<RunOptions & ReportOptions>, config?: string): Promise<number> {
  const { model } = await choose();
  const changes = changesOf({ paths: [dirname(resolve(model)), ...configPaths(process.cwd(), config)], trees: [] });
  process.stderr.write(`Watching ${dirname(model)}; stop with Ctrl+C.\n`);
  do {
    await reportingFaults(async () => {
      const options = await choose();
      report(await runOnce(options), options);
    });
  } while (await changes.next());
  return exitCodes.ok;
}

/** The result of a run while changes are followed; undefined, with the fault printed, where an input cannot be read now. */
export async function reportingFaults<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`gable: ${error.message}\n`);
    return undefined;
  }
}

/** An editor writes a file in several steps; a run begins after a pause of this length. */
const quietMilliseconds = 60;

/** The followed paths, all absolute. */
export interface Followed {
  /** Files, and folders with their entries. */
  readonly paths: readonly string[];
  /** Folders with all that is in them. */
  readonly trees: readonly string[];
}

/**
 * Waits for changes: `next` resolves to true after a change, and to false when the process is to stop. Changes during a run
 * cause one more run.
 */
export function changesOf(followed: Followed): { readonly next: () => Promise<boolean> } {
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
  const closeAll = follow(followed, changed);
  const stop = (): void => {
    closeAll();
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

/**
 * Watches, and returns how to end that. Every folder has a watcher of its own: Node's recursive one no longer follows a file
 * that an editor has replaced. What is missing, or is removed and created again, is reported by the folder that it is in.
 */
function follow({ paths, trees }: Followed, changed: () => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  const isInTree = (path: string): boolean => trees.some((tree) => isWithin(path, tree));
  const isFollowed = (path: string): boolean => paths.includes(path) || paths.includes(dirname(path)) || isInTree(path);
  const close = (path: string): void => {
    for (const [folder, watcher] of watchers) if (isWithin(folder, path) && watchers.delete(folder)) watcher.close();
  };
  const open = (folder: string): void => {
    if (watchers.has(folder) || !isFolder(folder)) return;
    const watcher = watchFolder(folder, (kind, name) => {
      const path = join(folder, name ?? '');
      if (!isFollowed(path)) return;
      if (kind === 'rename') reopen(path);
      changed();
    });
    // On Windows, the removal of a folder is an error of its watcher.
    watcher.on('error', (error) => rethrowUnlessGone(folder, error));
    watchers.set(folder, watcher);
    if (isInTree(folder)) for (const name of readdirSync(folder)) open(join(folder, name));
  };
  const reopen = (path: string): void => {
    close(path);
    if (!paths.includes(path) && !isInTree(path)) return;
    try {
      open(path);
    } catch (error) {
      rethrowUnlessGone(path, error);
    }
  };
  const all = [...paths, ...trees];
  [...all.map((path) => dirname(path)), ...all].forEach(open);
  return () => watchers.forEach((watcher) => watcher.close());
}

function rethrowUnlessGone(path: string, error: unknown): void {
  if (existsSync(path)) throw error;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
