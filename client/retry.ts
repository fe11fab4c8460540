import type { ServiceError } from './errors.js';

/** Runs an attempt until it succeeds, fails for good, or its tries or thirty seconds are used up. */
export async function withRetries<T>(
  attempt: (number: number) => Promise<T>,
  retries: number,
  isRepeatable: boolean,
  signal: AbortSignal | undefined,
): Promise<T> {
  const end = Date.now() + 30_000;
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      const delay = delayAfter(error as Partial<ServiceError>, number, isRepeatable);
      if (number > retries || signal?.aborted || Date.now() + delay > end) throw error;
      await sleep(delay, signal);
      signal?.throwIfAborted();
    }
  }
}

// A lost connection is a TypeError of fetch. A request refused with 429 was not executed, so that any may be repeated.
function delayAfter(error: Partial<ServiceError>, number: number, isRepeatable: boolean): number {
  const { status, retryAfter = 0 } = error;
  const isTransient = status === 429 || (isRepeatable && (status === 503 || error instanceof TypeError));
  return isTransient ? Math.max(retryAfter, Math.random() * 50 * 4 ** number) : Infinity;
}

// Ends with the time or an abort.
function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      ended.abort();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end, ended);
  });
}
