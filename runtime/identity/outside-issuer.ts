import type { JSONWebKeySet } from 'jose';
import { JWKSNoMatchingKey } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { jwtVerify, type JWTVerifyGetKey } from 'jose/jwt/verify';
import { errors } from '../errors/catalogue.js';
import type { Caller } from '../plan/caller.js';
import { callerOf, clockSkew, mustHave, refuseToken } from './token.js';

/** Algorithms with a public key, the only ones for an outside issuer. */
export const outsideAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;

/** An issuer whose tokens are accepted. */
export interface OutsideIssuer {
  /** `iss`, exactly. */
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  /** Configured, whatever a token's header says (RFC 8725, 3.1). */
  readonly algorithms: readonly (typeof outsideAlgorithms)[number][];
}

/** A caller, and the time in seconds since 1970 until which its token needs no further check. */
export interface Verified {
  readonly caller: Caller;
  readonly expires: number;
}

/** Verifies the tokens of one issuer. */
export function createOutsideVerifier({ issuer, audience, jwksUrl, algorithms }: OutsideIssuer): (token: string) => Promise<Verified> {
  const keys = createKeySet({ fetchKeys: () => fetchKeys(jwksUrl), now: Date.now });
  const options = { issuer, audience, algorithms: [...algorithms], clockTolerance: clockSkew, requiredClaims: [...mustHave] };
  return async (token) => {
    const { payload } = await jwtVerify(token, keys.keyOf, options).catch(refuseToken);
    // A withdrawn key invalidates the tokens that it signed.
    return { caller: callerOf(payload), expires: Math.min(payload.exp ?? 0, keys.freshUntil() / 1000) };
  };
}

interface KeySet {
  readonly keyOf: JWTVerifyGetKey;
  /** The time in milliseconds until which tokens verified with these keys stay valid without another check. */
  readonly freshUntil: () => number;
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
export function createKeySet({ fetchKeys, now }: { readonly fetchKeys: () => Promise<JSONWebKeySet>; readonly now: () => number }): KeySet {
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
        if (!(failure instanceof JWKSNoMatchingKey)) throw failure;
        await refresh();
        return (usable() ?? known)(header, token);
      }
    },
  };
}

const longestWait = 5_000;
const largest = 1024 * 1024;

/** Fetches a key set: no redirects, limited in time and size, public keys only. */
async function fetchKeys(url: string): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(longestWait),
    headers: { Accept: 'application/json' },
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return parseKeys(await readText(response), url);
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true }); // A body's chunks are bytes.
    if (text.length > largest) throw new Error('The key set is larger than 1 MiB.');
  }
  return text + decoder.decode();
}

/** Parses a key set; rejects shared secrets, with which every reader could sign tokens (RFC 8725, 2.1). */
export function parseKeys(text: string, url: string): JSONWebKeySet {
  const parsed = JSON.parse(text) as Partial<JSONWebKeySet> | null;
  if (!Array.isArray(parsed?.keys)) throw new Error(`${url} has no key set.`);
  return { keys: parsed.keys.filter((key) => typeof key === 'object' && key !== null && key.kty !== 'oct') };
}
