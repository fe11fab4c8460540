import { jwtVerify } from 'jose';
import type { Caller } from '../plan/caller.js';
import { refuseToken } from './bearer.js';
import { callerOf, clockSkew } from './claims.js';
import { fetchKeys } from './fetch-keys.js';
import { createKeySet } from './key-set.js';

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
  const options = { issuer, audience, algorithms: [...algorithms], clockTolerance: clockSkew, requiredClaims: ['exp', 'sub'] };
  return async (token) => {
    const { payload } = await jwtVerify(token, keys.keyOf, options).catch(refuseToken);
    // A withdrawn key invalidates the tokens that it signed.
    return { caller: callerOf(payload), expires: Math.min(payload.exp ?? 0, keys.freshUntil() / 1000) };
  };
}
