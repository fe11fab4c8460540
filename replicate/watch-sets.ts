import type { CopiedSet } from './copied-set.js';

/** Milliseconds between two reads of the model while changes are followed. */
const interval = 300_000;

/** The sets of a service whose changes are followed. */
export interface WatchedSets {
  /** Aborted once the model describes them otherwise. */
  readonly changed: AbortSignal;
  /** The sets as they are then. */
  readonly latest: () => readonly CopiedSet[] | undefined;
  /** Reads the model again: once in five minutes, or now. */
  readonly check: (when: 'in time' | 'now') => Promise<void>;
}

/** Watches the descriptions of sets; `read` returns those of the service, or nothing if its model cannot be read now. */
export function watchSets(sets: readonly CopiedSet[], read: () => Promise<readonly CopiedSet[] | undefined>): WatchedSets {
  const controller = new AbortController();
  let latest: readonly CopiedSet[] | undefined;
  let checkedAt = performance.now();
  return {
    changed: controller.signal,
    latest: () => latest,
    check: async (when) => {
      if (when === 'in time' && performance.now() - checkedAt < interval) return;
      checkedAt = performance.now();
      const now = await read();
      if (now === undefined || JSON.stringify(now) === JSON.stringify(sets)) return;
      latest = now;
      controller.abort();
    },
  };
}
