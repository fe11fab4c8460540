import { ServiceError } from './errors.js';

const longest = 30_000;

/** When a request is tried again. */
interface RetryPolicy {
  readonly retries: number;
  /** Repeating the request has no further effect. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Runs an attempt until it succeeds, fails for good, or its tries or thirty seconds are used up. */
export async function withRetries<T>(attempt: (number: number) => Promise<T>, policy: RetryPolicy): Promise<T> {
  const end = Date.now() + longest;
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      const delay = delayAfter(error, number, policy);
      if (!(Date.now() + delay <= end)) throw error;
      await sleep(delay, policy.signal);
    }
  }
}

// A lost connection is a TypeError of fetch. A request refused with 429 was not executed, so that any may be repeated.
function delayAfter(error: unknown, number: number, { retries, isRepeatable, signal }: RetryPolicy): number {
  const { status, retryAfter = 0 } = error as Partial<ServiceError>;
  const isTransient = status === 429 || (isRepeatable && (status === 503 || error instanceof TypeError));
  return isTransient && number <= retries && !signal?.aborted ? Math.max(retryAfter, Math.random() * 50 * 4 ** number) : Infinity;
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop);
  });
}
