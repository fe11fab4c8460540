import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The measured server has a separate processor; load and database share the others. */
export interface Pinning {
  /** A command and its arguments, so that it runs on the server's processor. */
  readonly onServerCore: (command: readonly string[]) => readonly string[];
  readonly pinned: boolean;
}

/** Every process where the system puts it. */
export const unpinned: Pinning = { pinned: false, onServerCore: (command) => command };

/** Pins this process and its children to the other processors, where the system permits. */
export function pinHere(): Pinning {
  const last = availableParallelism() - 1;
  const pinned = last > 0 && spawnSync('taskset', ['-a', '-c', '-p', `1-${last}`, String(process.pid)], { stdio: 'ignore' }).status === 0;
  return { pinned, onServerCore: (command) => (pinned ? ['taskset', '-c', '0', ...command] : command) };
}
