import { outsideAlgorithms, type OutsideIssuer } from './outside-issuer.js';
import type { StaticToken } from './static-tokens.js';

/** Parses the configured outside issuers; undefined when any part is invalid. */
export function parseIssuers(text: string): readonly OutsideIssuer[] | undefined {
  const parsed = parseJson(text);
  if (!Array.isArray(parsed)) return undefined;
  const issuers = parsed.map(parseIssuer);
  return issuers.every((issuer) => issuer !== undefined) ? issuers : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The setting's rule reports that JSON is expected.
    return undefined;
  }
}

function parseIssuer(row: unknown): OutsideIssuer | undefined {
  const { issuer, audience, jwksUrl, algorithms = ['RS256', 'ES256'], ...others } = (row ?? {}) as Partial<Record<string, unknown>>;
  if (Object.keys(others).length > 0 || !isText(issuer) || !isText(audience) || !isText(jwksUrl) || !isSafe(jwksUrl)) return undefined;
  const known = Array.isArray(algorithms) ? outsideAlgorithms.filter((name) => algorithms.includes(name)) : [];
  if (!Array.isArray(algorithms) || known.length === 0 || known.length !== algorithms.length) return undefined;
  return { issuer, audience, jwksUrl, algorithms: known };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

// Whoever can change the keys in transit can sign any token.
function isSafe(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

/** Parses the configured static tokens. */
export function parseStaticTokens(text: string): readonly StaticToken[] | undefined {
  const tokens = text.split(',').map((entry) => /^\s*([0-9a-f]{64}):([A-Za-z0-9._-]{1,64}):(\S+(?: \S+)*)\s*$/.exec(entry));
  if (!tokens.every((token) => token !== null)) return undefined;
  return tokens.map(([, sha256 = '', subject = '', scopes = '']) => ({ sha256, subject, scopes: scopes.split(' ') }));
}
