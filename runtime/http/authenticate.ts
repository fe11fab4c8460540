import { createSecretKey } from 'node:crypto';
import { errors as joseErrors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import type { Caller } from '../plan/caller.js';
import { createTokenCache } from './token-cache.js';

/** What tokens are signed and checked with. The algorithm is fixed, whatever a token's header says (RFC 8725, 3.1). */
export interface TokenSettings {
  readonly secret: string;
  readonly issuer: string;
  readonly audience: string;
}

const algorithm = 'HS256';
const clockSkew = 30;

/** What a token says of its bearer. */
export interface TokenClaims {
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly member?: string;
  /** Seconds from now. */
  readonly lifetime: number;
}

/** A signed token, for development and tests; outside issuers make their own. */
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

/** Verifies the Authorization header of every request. */
export function createAuthenticator(settings: TokenSettings): (authorization: string | undefined) => Promise<Caller> {
  const key = keyOf(settings);
  const verified = createTokenCache();
  return async (authorization) => {
    const token = bearerToken(authorization);
    const known = verified.get(token);
    if (known !== undefined) return known;
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer: settings.issuer,
      audience: settings.audience,
      clockTolerance: clockSkew,
      requiredClaims: ['exp', 'sub'],
    }).catch(refuse);
    const caller = callerOf(payload);
    verified.add(token, caller, payload.exp ?? 0);
    return caller;
  };
}

function keyOf({ secret }: TokenSettings): ReturnType<typeof createSecretKey> {
  return createSecretKey(Buffer.from(secret, 'utf8'));
}

function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) throw challenge(errors.unauthenticated('the Authorization header is missing'));
  const [, token] = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(authorization) ?? [];
  if (token === undefined) throw challenge(errors.unauthenticated('write Authorization: Bearer <token>'), 'invalid_request');
  return token;
}

function refuse(failure: unknown): never {
  if (failure instanceof joseErrors.JWTExpired) throw challenge(errors.tokenExpired(), 'invalid_token');
  if (failure instanceof joseErrors.JOSEError) throw challenge(errors.unauthenticated('this one was not issued for this service'), 'invalid_token');
  throw failure;
}

// RFC 6750, 3: the challenge says why, except when nothing was sent.
function challenge(error: ODataError, reason?: string): ODataError {
  const text = reason === undefined ? 'Bearer realm="gable"' : `Bearer realm="gable", error="${reason}"`;
  return error.withHeaders({ 'WWW-Authenticate': text });
}

function callerOf({ sub, scope, member }: JWTPayload): Caller {
  const scopes = typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];
  return { subject: sub ?? '', scopes: new Set(scopes), ...(typeof member === 'string' && { member }) };
}
