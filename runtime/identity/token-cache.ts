import type { Caller } from '../plan/caller.js';

/** Tokens whose signature was good once: checking it again costs as much as a small answer. */
interface TokenCache {
  /** The caller behind an Authorization header, until its token expires. */
  readonly get: (authorization: string) => Caller | undefined;
  readonly add: (authorization: string, caller: Caller, expires: number) => void;
}

/** How many tokens are kept; the oldest gives way. */
const most = 1000;

/** A bounded cache; only verified tokens get in, so that nobody can fill it with others. `expires` is in seconds since 1970. */
export function createTokenCache(now: () => number = () => Date.now() / 1000): TokenCache {
  const entries = new Map<string, { readonly caller: Caller; readonly expires: number }>();
  return {
    get: (authorization) => {
      const entry = entries.get(authorization);
      if (entry === undefined || entry.expires > now()) return entry?.caller;
      // The verifier says why, and knows how much two clocks may differ.
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
