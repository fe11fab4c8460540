import { suggestion } from '../errors/suggest.js';
import { outsideAlgorithms, type OutsideIssuer } from './outside-issuer.js';
import type { StaticToken } from './static-tokens.js';

/** Parses the configured outside issuers; undefined when any part is invalid. */
export function parseIssuers(text: string): readonly OutsideIssuer[] | undefined {
  if (issuerFaults(text).length > 0) return undefined;
  const rows = JSON.parse(text) as readonly (Omit<OutsideIssuer, 'algorithms'> & Partial<OutsideIssuer>)[]; // Without faults it is that.
  return rows.map((row) => ({ algorithms: ['RS256', 'ES256'], ...row }));
}

/** The faults of configured outside issuers, as sentences. */
export function issuerFaults(text: string): readonly string[] {
  const parsed = parseJson(text);
  if (!Array.isArray(parsed)) return ['It is not a JSON array.'];
  return parsed.flatMap((row: unknown, index) => faultsOfIssuer(row).map((fault) => `Issuer ${index + 1}: ${fault}`));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const members: { readonly [name: string]: { readonly rule: string; readonly isValid: (value: unknown) => boolean } } = {
  issuer: { rule: 'must be a string', isValid: isText },
  audience: { rule: 'must be a string', isValid: isText },
  jwksUrl: { rule: 'must be an https address', isValid: (value) => isText(value) && isSafe(value) },
  algorithms: { rule: `must be an array with some of ${outsideAlgorithms.join(', ')}`, isValid: areAlgorithms },
};

function faultsOfIssuer(row: unknown): readonly string[] {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return ['it must be an object.'];
  const names = Object.keys(members);
  const unknown = Object.keys(row).filter((name) => !names.includes(name));
  const invalid = Object.entries(members).filter(([name, { isValid }]) => !isValid((row as Readonly<Record<string, unknown>>)[name]));
  return [
    ...unknown.map((name) => `there is no member ${name}.${suggestion(name, names)}`),
    ...invalid.map(([name, { rule }]) => `${name} ${rule}.`),
  ];
}

function areAlgorithms(value: unknown): boolean {
  if (value === undefined) return true;
  const known = Array.isArray(value) ? outsideAlgorithms.filter((name) => value.includes(name)) : [];
  return known.length > 0 && Array.isArray(value) && known.length === value.length;
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
  const tokens = text.split(',').map((entry) => /^\s*([0-9a-f]{64}):([A-Za-z0-9._-]{1,64}):((?:\S+(?: \S+)*)?)\s*$/.exec(entry));
  if (!tokens.every((token) => token !== null)) return undefined;
  return tokens.map(([, sha256 = '', subject = '', scopes = '']) => ({ sha256, subject, scopes: scopes === '' ? [] : scopes.split(' ') }));
}
