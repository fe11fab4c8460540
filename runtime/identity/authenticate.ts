import { createSecretKey } from 'node:crypto';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import type { Caller } from '../plan/caller.js';
import { callerOfBasic, canonicalBasic, type FindClient, isBasic } from './basic.js';
import { bearerToken, callerOf, clockSkew, issuerOf, mustHave, notOurs, refuseToken } from './token.js';
import { createOutsideVerifier, type OutsideIssuer, type Verified } from './outside-issuer.js';
import { callerOfStatic, type StaticToken } from './static-tokens.js';

/** The key and the claims that the service's own tokens are signed and verified with. */
export interface TokenSettings {
  readonly secret: string;
  readonly issuer: string;
  readonly audience: string;
}

/** Credentials that are accepted in addition to the service's own tokens. */
interface OtherCredentials {
  readonly issuers: readonly OutsideIssuer[];
  readonly staticTokens: readonly StaticToken[];
  /** Finds the client of a Basic header; without it Basic is rejected. */
  readonly findClient?: FindClient;
}

const algorithm = 'HS256';
const scheme = 'Bearer ';

/** Seconds for which the name and secret of a client are not looked up again. */
const basicLifetime = 60;

interface TokenClaims {
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly member?: string;
  /** Seconds from now. */
  readonly lifetime: number;
}

/** Signs a token of the service. */
export async function issueToken(claims: TokenClaims, settings: TokenSettings): Promise<string> {
  const payload = { scope: claims.scopes.join(' '), ...(claims.member !== undefined && { member: claims.member }) };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setSubject(claims.subject)
    .setIssuer(settings.issuer)
    .setAudience(settings.audience)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + claims.lifetime)
    .sign(keyOf(settings));
}

/** Creates the verifier of Authorization headers. */
export function createAuthenticator(
  settings: TokenSettings,
  others: OtherCredentials,
): (authorization: string | undefined) => Promise<Caller> {
  const verified = createTokenCache();
  const verify = createVerifier(settings, others);
  return async (authorization) => {
    // Cached by the whole header: extracting the token costs more than the lookup.
    const known = authorization === undefined ? undefined : verified.get(authorization);
    if (known !== undefined) return known;
    if (others.findClient !== undefined && isBasic(authorization)) {
      const caller = await callerOfBasic(authorization, others.findClient);
      if (authorization === canonicalBasic(authorization)) verified.add(authorization, caller, Date.now() / 1000 + basicLifetime);
      return caller;
    }
    const token = bearerToken(authorization);
    const { caller, expires } = await verify(token);
    // One token with varying spaces must not fill the cache.
    if (authorization?.length === scheme.length + token.length) verified.add(authorization, caller, expires);
    return caller;
  };
}

// The issuer that a token names selects the rules, which include the algorithm.
function createVerifier(settings: TokenSettings, { issuers, staticTokens }: OtherCredentials): (token: string) => Promise<Verified> {
  const own = createOwnVerifier(settings);
  const outside = new Map(issuers.map((issuer) => [issuer.issuer, createOutsideVerifier(issuer)]));
  return async (token) => {
    if (!token.includes('.')) return { caller: callerOfStatic(token, staticTokens), expires: Number.POSITIVE_INFINITY };
    const issuer = issuerOf(token);
    const verify = issuer === settings.issuer ? own : outside.get(issuer ?? '');
    if (verify === undefined) throw notOurs();
    return verify(token);
  };
}

function createOwnVerifier(settings: TokenSettings): (token: string) => Promise<Verified> {
  const key = keyOf(settings);
  const { issuer, audience } = settings;
  return async (token) => {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer,
      audience,
      clockTolerance: clockSkew,
      requiredClaims: [...mustHave],
    }).catch(refuseToken);
    return { caller: callerOf(payload), expires: payload.exp ?? 0 };
  };
}

function keyOf({ secret }: TokenSettings): ReturnType<typeof createSecretKey> {
  return createSecretKey(Buffer.from(secret, 'utf8'));
}

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
  const entries = new Map<string, { readonly caller: Caller; readonly since: number; readonly expires: number }>();
  return {
    get: (authorization) => {
      const entry = entries.get(authorization);
      const at = now();
      // A clock that was set back (`at` before `since`) does not show whether the token has expired.
      if (entry === undefined || (entry.expires > at && entry.since <= at)) return entry?.caller;
      // The verifier reports the reason, and allows for clock skew.
      entries.delete(authorization);
      return undefined;
    },
    add: (authorization, caller, expires) => {
      const [oldest] = entries.keys();
      if (entries.size >= most && oldest !== undefined) entries.delete(oldest);
      entries.set(authorization, { caller, since: now(), expires });
    },
  };
}
