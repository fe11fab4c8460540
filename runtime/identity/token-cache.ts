import type { Caller } from '../plan/caller.js';

/** A cache of verified tokens: verifying a signature costs as much as a small answer. */
interface TokenCache {
  /** The caller of an Authorization header, until its token expires. */
  readonly get: (authorization: string) => Caller | undefined;
  readonly add: (authorization: string, caller: Caller, expires: number) => void;
}

/** The most tokens kept; the oldest is evicted. */
const most = 1000;

/** A bounded cache of verified tokens only, so that invalid ones cannot fill it. `expires` is in seconds since 1970. */
export function createTokenCache(now: () => number = () => Date.now() / 1000): TokenCache {
  const entries = new Map<string, { readonly caller: Caller; readonly expires: number }>();
  return {
    get: (authorization) => {
      const entry = entries.get(authorization);
      if (entry === undefined || entry.expires > now()) return entry?.caller;
      // The verifier reports the reason, and allows for clock skew.
      entries.delete(authorization);
      return undefined;
    },
    add: (authorization, caller, expires) => {
      const [oldest] = entries.keys();
      if (entries.size >= most && oldest !== undefined) entries.delete(oldest);
      entries.set(authorization, { caller, expires });
    },
  };
}
