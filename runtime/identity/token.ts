import type { JWTPayload } from 'jose';
import { JOSEError, JWTClaimValidationFailed, JWTExpired } from 'jose/errors';
import { decodeJwt } from 'jose/jwt/decode';
import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import type { Caller } from '../plan/caller.js';

/** The token of an Authorization header (RFC 6750, 2.1). */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) throw challenge(errors.unauthenticated('the Authorization header is missing'));
  const [, token] = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(authorization) ?? [];
  const withPassword = /^Basic /i.test(authorization) ? 'this service takes no name and secret here, ' : '';
  if (token === undefined) throw challenge(errors.unauthenticated(`${withPassword}write Authorization: Bearer <token>`), 'invalid_request');
  return token;
}

/** The error for a token of no known issuer; it does not say which part was wrong. */
export function notOurs(): ODataError {
  return challenge(errors.unauthenticated('this service does not accept it'), 'invalid_token');
}

/** The claims that a token must have; without an end it would be valid for ever. */
export const mustHave: readonly string[] = ['exp', 'sub'];

/** Turns the library's failure of a token into 401; rethrows anything else. */
export function refuseToken(failure: unknown): never {
  if (failure instanceof JWTExpired) throw challenge(errors.tokenExpired(), 'invalid_token');
  // The library reports missing claims only of a token whose signature is valid.
  if (failure instanceof JWTClaimValidationFailed && failure.reason === 'missing' && mustHave.includes(failure.claim))
    throw challenge(errors.unauthenticated(`the token has no ${failure.claim} claim`), 'invalid_token');
  if (failure instanceof JOSEError) throw notOurs();
  throw failure;
}

// RFC 6750, 3: the challenge gives the reason, except when no token was sent.
function challenge(error: ODataError, reason?: string): ODataError {
  const text = reason === undefined ? 'Bearer realm="gable"' : `Bearer realm="gable", error="${reason}"`;
  return error.withHeaders({ 'WWW-Authenticate': text });
}

/** The tolerated clock skew in seconds. */
export const clockSkew = 30;

/** The caller of verified claims. Scopes are in `scope` (RFC 9068), or in `scp`, as some issuers write them. */
export function callerOf({ sub, exp, scope, scp, member }: JWTPayload): Caller {
  // A number such as 1e400 is infinite, and the token would never expire (RFC 7519, 4.1.4).
  if (!isName(sub) || !Number.isFinite(exp)) throw notOurs();
  if (member !== undefined && !isName(member)) throw notOurs();
  return { subject: sub, scopes: new Set(namesOf(scope ?? scp)), ...(member !== undefined && { member }) };
}

// Claims need not be names (RFC 7519, 4.1.2); names go to the database, which stores no NUL.
function isName(claim: unknown): claim is string {
  return typeof claim === 'string' && claim !== '' && !/\p{Cc}/u.test(claim);
}

function namesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((name) => name !== '');
  return Array.isArray(claim) ? claim.filter((name) => typeof name === 'string') : [];
}

/** The issuer that an unverified token names, which selects the rules that verify it. */
export function issuerOf(token: string): string | undefined {
  requireCanonical(token);
  try {
    return decodeJwt(token).iss;
  } catch {
    // A token that cannot be decoded has no issuer, and is rejected.
    return undefined;
  }
}

/** The time when a token of the service expires, in ISO 8601. */
export function expiryOf(token: string): string {
  return new Date((decodeJwt(token).exp ?? 0) * 1000).toISOString();
}

// Decoders ignore spare bits at the end of a part: without this check a signed token would have several spellings.
function requireCanonical(token: string): void {
  const parts = token.split('.');
  const canonical = parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
  if (!canonical) throw notOurs();
}
