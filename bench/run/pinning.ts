import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The measured server has a processor of its own; load and database share the others. */
export interface Pinning {
  /** A command and its arguments, so that it runs on the server's processor. */
  readonly onServerCore: (command: readonly string[]) => readonly string[];
  readonly pinned: boolean;
}

/** Every process where the system puts it. */
export const unpinned: Pinning = { pinned: false, onServerCore: (command) => command };

/** Moves this process, and what it will start, off the server's processor, where the system lets it. */
export function pinHere(): Pinning {
  const last = availableParallelism() - 1;
  const pinned = last > 0 && spawnSync('taskset', ['-a', '-c', '-p', `1-${last}`, String(process.pid)], { stdio: 'ignore' }).status === 0;
  return { pinned, onServerCore: (command) => (pinned ? ['taskset', '-c', '0', ...command] : command) };
}
