/** Seconds in which an answer begins, as Node itself waits for one once it has sent the request. */
export const answerSeconds = 300;

/**
 * A fetch that fails where no answer begins within some seconds. In Node 20 a request never ends if its connection is closed
 * as soon as it is open, such as by a balancer without servers: a process waited for ever, or ended without a word.
 */
export function fetchWithin(seconds: number): typeof fetch {
  return async (...request) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const cause = new Error(`no answer within ${seconds} s`);
      timer = setTimeout(() => reject(new TypeError('fetch failed', { cause })), 1_000 * seconds);
    });
    try {
      return await Promise.race([fetch(...request), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
