import { createLocalJWKSet, errors as joseErrors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { errors } from '../errors/catalogue.js';

/** The keys of an issuer, kept for a while and fetched anew when they must be. */
interface KeySet {
  readonly keyOf: JWTVerifyGetKey;
  /** Until when, in milliseconds, what these keys have verified may be believed without asking again. */
  readonly freshUntil: () => number;
}

/** What a key set needs of the world. */
interface KeySetSources {
  readonly fetchKeys: () => Promise<JSONWebKeySet>;
  readonly now: () => number;
}

/** Milliseconds. */
export const keySetTimes = {
  /** After this the keys are fetched anew; a key that an issuer has withdrawn is believed no longer. */
  fresh: 600_000,
  /** While the issuer is away, its last keys are believed for so long. */
  stale: 3_600_000,
  /** Between two fetches, whatever tokens come in: made-up key ids must not become a storm of requests. */
  pause: 30_000,
} as const;

/** Keeps the keys of an issuer through rotation and outage; at most one fetch is under way, and one in thirty seconds. */
export function createKeySet({ fetchKeys, now }: KeySetSources): KeySet {
  let keys: { readonly find: JWTVerifyGetKey; readonly at: number } | undefined;
  let attempted = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  let failed: { readonly why: unknown } | undefined;
  const refresh = (): Promise<void> => {
    if (underWay !== undefined || now() - attempted < keySetTimes.pause) return underWay ?? Promise.resolve();
    attempted = now();
    underWay = fetchKeys()
      // Keys that are no key set leave the last ones in force.
      .then((fetched) => {
        keys = { find: createLocalJWKSet(fetched), at: now() };
        failed = undefined;
      })
      .catch((why: unknown) => void (failed = { why }))
      .finally(() => (underWay = undefined));
    return underWay;
  };
  const usable = (): JWTVerifyGetKey | undefined => (keys !== undefined && now() - keys.at < keySetTimes.stale ? keys.find : undefined);
  return {
    freshUntil: () => (keys?.at ?? 0) + keySetTimes.fresh,
    keyOf: async (header, token) => {
      const refreshed = keys === undefined || now() - keys.at >= keySetTimes.fresh ? refresh() : undefined;
      // An issuer that did not answer the last time is not waited for again while its last keys will do.
      if (failed === undefined || usable() === undefined) await refreshed;
      const known = usable();
      // The answer says that the keys are not there, and the log why.
      if (known === undefined) throw Object.assign(errors.issuerUnavailable(), { cause: failed?.why });
      try {
        return await known(header, token);
      } catch (failure) {
        if (!(failure instanceof joseErrors.JWKSNoMatchingKey)) throw failure;
        await refresh();
        return (usable() ?? known)(header, token);
      }
    },
  };
}
