import type { ClientRateLimitInfo, RateLimitRequestHandler, Store } from 'express-rate-limit';
import { ipKeyGenerator, MemoryStore, rateLimit } from 'express-rate-limit';
import { type Surroundings, tooManyRequests } from './express-adapter.js';

/** Milliseconds of the window in which requests are counted. */
export const limitWindow = 60_000;

/** Counts of requests that processes share. */
interface RequestCounts {
  /** Counts one more request; fails when it cannot be counted. */
  readonly add: (key: string) => Promise<{ readonly totalHits: number; readonly resetTime: Date }>;
  /** Called for each request that this process counts for itself instead. */
  readonly failed: (failure: unknown) => void;
}

/** The limit, and who counts. */
interface Limiting {
  readonly rootPath: string;
  /** Requests per minute for one token. */
  readonly requestsPerMinute: number;
  /** Counts of requests that processes share; by default this process counts for itself. */
  readonly sharedCounts?: RequestCounts | undefined;
}

/**
 * Limits requests per minute. They are counted by the subject of a verified token, since all clients of a broker may
 * share one address, and a client may have many tokens; requests without a valid token by address, so that made-up tokens
 * cannot evade the limit.
 */
export function limitRate(limiting: Limiting, surroundings: Surroundings): RateLimitRequestHandler {
  const { rootPath, requestsPerMinute: limit, sharedCounts } = limiting;
  const { authenticate } = surroundings.service;
  return rateLimit({
    windowMs: limitWindow,
    limit,
    store: sharedCounts ? sharedStore(sharedCounts) : new OwnCounts(),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (request) =>
      authenticate(request.headers.authorization).then(
        ({ subject }) => `subject ${subject}`,
        () => `address ${ipKeyGenerator(request.ip ?? '')}`,
      ),
    handler: tooManyRequests(rootPath, limit, surroundings),
    // An untrusted X-Forwarded-For is ignored, which needs no console warning.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
  });
}

/** The counts of this process. A window that ends later than any begun by now is of a clock that was set back since. */
class OwnCounts extends MemoryStore {
  override increment(key: string): Promise<ClientRateLimitInfo> {
    const known = this.current.get(key) ?? this.previous.get(key);
    if (known !== undefined && known.resetTime.getTime() > Date.now() + limitWindow) known.resetTime = new Date(0);
    return super.increment(key);
  }
}

// Without the database neither all requests are refused nor all let through: the process counts for itself.
function sharedStore({ add, failed }: RequestCounts): Store {
  const own = new OwnCounts();
  // One after another, since the store returns the object that it counts in.
  let turn: Promise<unknown> = Promise.resolve();
  const countAlone = (key: string): Promise<ClientRateLimitInfo> => {
    const counted = turn.then(() => own.increment(key)).then((count) => ({ ...count }));
    turn = counted;
    return counted;
  };
  return {
    init: (options) => own.init(options),
    increment: (key) =>
      add(key).catch((failure: unknown) => {
        failed(failure);
        return countAlone(key);
      }),
    // The limit counts every request, whatever becomes of it, and forgets none.
    decrement: () => undefined,
    resetKey: () => undefined,
  };
}
