import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../plan/caller.js';
import { notOurs } from './token.js';

/** A long-lived token in the configuration, by its hash. */
export interface StaticToken {
  /** SHA-256 in hexadecimal. Tokens are random, so a slow hash would add no protection. */
  readonly sha256: string;
  readonly subject: string;
  readonly scopes: readonly string[];
}

/** The hash that is stored of a token or a client's secret. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Compares two hashes in constant time. */
export function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** The caller of a static token. Timing may reveal which entry matches, but not how much of a hash is right. */
export function callerOfStatic(token: string, tokens: readonly StaticToken[]): Caller {
  const hash = hashOf(token);
  const found = tokens.find(({ sha256 }) => isSameHash(sha256, hash));
  if (found === undefined) throw notOurs();
  return { subject: found.subject, scopes: new Set(found.scopes) };
}
