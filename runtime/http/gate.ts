import type { ODataError } from '../errors/odata-error.js';

/** Lets so many pieces of work through at the same time; others wait their turn for a while. */
export interface Gate {
  readonly pass: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** A gate that is as wide as `limit`, before which nobody waits longer than `patience` milliseconds. */
export function createGate(limit: number, patience: number, refusal: () => ODataError): Gate {
  let inside = 0;
  const waiting = new Set<() => void>();
  const enter = (): Promise<void> | undefined => {
    if (inside === limit) return turn(waiting, patience, refusal);
    inside += 1;
    return undefined;
  };
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) inside -= 1;
    else next();
  };
  return {
    pass: async (work) => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

// Whoever leaves gives the place to whoever waits the longest.
function turn(waiting: Set<() => void>, patience: number, refusal: () => ODataError): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (): void => {
      clearTimeout(late);
      waiting.delete(next);
      resolve();
    };
    const late = setTimeout(() => {
      waiting.delete(next);
      reject(refusal());
    }, patience);
    waiting.add(next);
  });
}
