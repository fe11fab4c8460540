import { decodeJwt, type JWTPayload } from 'jose';
import type { Caller } from '../plan/caller.js';
import { notOurs } from './bearer.js';

/** Seconds by which two clocks may differ. */
export const clockSkew = 30;

/** Who is behind verified claims. Scopes are in `scope` (RFC 9068), or in `scp`, as some issuers write it. */
export function callerOf({ sub, exp, scope, scp, member }: JWTPayload): Caller {
  // A number as large as 1e400 is infinite, and such a token would never end (RFC 7519, 4.1.4).
  if (!isName(sub) || !Number.isFinite(exp)) throw notOurs();
  if (member !== undefined && !isName(member)) throw notOurs();
  return { subject: sub, scopes: new Set(namesOf(scope ?? scp)), ...(member !== undefined && { member }) };
}

// Issuers may sign what is none (RFC 7519, 4.1.2); the names go to the database, which holds no NUL.
function isName(claim: unknown): claim is string {
  return typeof claim === 'string' && claim !== '' && !/\p{Cc}/u.test(claim);
}

function namesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((name) => name !== '');
  return Array.isArray(claim) ? claim.filter((name) => typeof name === 'string') : [];
}

/** The issuer that a token names, which decides by whose rules it is verified; nothing of it is believed yet. */
export function issuerOf(token: string): string | undefined {
  requireCanonical(token);
  try {
    return decodeJwt(token).iss;
  } catch {
    // What cannot be decoded has no issuer, and is refused for that.
    return undefined;
  }
}

/** The moment from which a token of the service's own is refused, in ISO 8601. */
export function expiryOf(token: string): string {
  return new Date((decodeJwt(token).exp ?? 0) * 1000).toISOString();
}

// Spare bits at the end of a part are ignored by decoders: without this a signed token could be written in many ways.
function requireCanonical(token: string): void {
  const parts = token.split('.');
  const canonical = parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
  if (!canonical) throw notOurs();
}
