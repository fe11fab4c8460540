import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../plan/caller.js';
import { notOurs } from './bearer.js';

/** A long-lived token as the configuration knows it: by its hash. */
export interface StaticToken {
  /** SHA-256 in hexadecimal. Tokens are random, so that a slow hash would protect nothing more. */
  readonly sha256: string;
  readonly subject: string;
  readonly scopes: readonly string[];
}

/** The hash under which a token or a client's secret is kept. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Whether two hashes are the same, in a time that does not depend on where they differ. */
export function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** The caller behind a static token. Which entry it is may be told by time; how much of a hash is right may not. */
export function callerOfStatic(token: string, tokens: readonly StaticToken[]): Caller {
  const hash = hashOf(token);
  const found = tokens.find(({ sha256 }) => isSameHash(sha256, hash));
  if (found === undefined) throw notOurs();
  return { subject: found.subject, scopes: new Set(found.scopes) };
}
