import { createLocalJWKSet, errors as joseErrors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { errors } from '../errors/catalogue.js';

/** The cached keys of an issuer. */
interface KeySet {
  readonly keyOf: JWTVerifyGetKey;
  /** The time in milliseconds until which tokens verified with these keys stay valid without another check. */
  readonly freshUntil: () => number;
}

/** The dependencies of a key set. */
interface KeySetSources {
  readonly fetchKeys: () => Promise<JSONWebKeySet>;
  readonly now: () => number;
}

/** Milliseconds. */
export const keySetTimes = {
  /** After this the keys are fetched again; tokens of a withdrawn key are then rejected. */
  fresh: 600_000,
  /** While the issuer is unreachable, its last keys stay valid for so long. */
  stale: 3_600_000,
  /** The pause between two fetches: unknown key ids must not cause a storm of requests. */
  pause: 30_000,
} as const;

/** Caches the keys of an issuer through rotation and outage; one fetch at a time, and one in thirty seconds. */
export function createKeySet({ fetchKeys, now }: KeySetSources): KeySet {
  let keys: { readonly find: JWTVerifyGetKey; readonly at: number } | undefined;
  let attempted = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  let failed: { readonly why: unknown } | undefined;
  const refresh = (): Promise<void> => {
    if (underWay !== undefined || now() - attempted < keySetTimes.pause) return underWay ?? Promise.resolve();
    attempted = now();
    underWay = fetchKeys()
      // An invalid key set leaves the last keys in force.
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
      // An issuer that did not answer is not waited for again while its last keys are valid.
      if (failed === undefined || usable() === undefined) await refreshed;
      const known = usable();
      // The answer says that the keys are unavailable; the log says why.
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
