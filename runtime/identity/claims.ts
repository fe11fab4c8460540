import { decodeJwt, type JWTPayload } from 'jose';
import type { Caller } from '../plan/caller.js';
import { notOurs } from './bearer.js';

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
