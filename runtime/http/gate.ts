import type { ODataError } from '../errors/odata-error.js';

/** Limits concurrent work; the rest waits for a time. */
export interface Gate {
  readonly pass: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Creates a gate for `limit` concurrent works, where none waits longer than `patience` milliseconds. */
export function createGate(limit: number, patience: number, refusal: () => ODataError): Gate {
  let inside = 0;
  const waiting = new Set<() => void>();
  const enter = (): Promise<void> | undefined => {
    if (inside === limit) return waitForPlace(waiting, patience, refusal);
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

// Resolves when finished work frees a place, in the order of arrival; rejects after `patience` milliseconds.
function waitForPlace(waiting: Set<() => void>, patience: number, refusal: () => ODataError): Promise<void> {
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

/** The limit of concurrent long uploads, each of which holds a database connection. */
export interface UploadPlaces {
  readonly most: number;
  /** Takes a place, and returns the function that releases it; undefined when all are taken. */
  readonly enter: () => (() => void) | undefined;
}

/** Limits the uploads that hold a connection at a time. */
export function createUploadPlaces(most: number): UploadPlaces {
  let taken = 0;
  return {
    most,
    enter: () => {
      if (taken >= most) return undefined;
      taken += 1;
      return () => void (taken -= 1);
    },
  };
}
