import { errors } from '../errors/catalogue.js';
import type { Caller } from '../plan/caller.js';
import type { Client } from './client-store.js';

/** The name and the secret of a client. */
export interface Credentials {
  readonly id: string;
  readonly secret: string;
}

/** Whether an Authorization header is of the scheme Basic. */
export function isBasic(authorization: string | undefined): authorization is string {
  return authorization !== undefined && /^basic(?: |$)/i.test(authorization);
}

/** The credentials of a Basic header; both parts are form-encoded within its base64 (RFC 6749, 2.3.1). */
export function readBasic(authorization: string): Credentials | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]{1,1024}={0,2})$/i.exec(authorization) ?? [];
  const [, user, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  const id = decodeFormPart(user);
  const secret = decodeFormPart(password);
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** Decodes a name or a value of a form; undefined where it is badly encoded or has control characters. */
export function decodeFormPart(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    // RFC 6749, appendix A: names and secrets have no control characters, and the database could not hold a NUL.
    return /\p{Cc}/u.test(decoded) ? undefined : decoded;
  } catch {
    // A lone percent sign, or bytes that are not UTF-8.
    return undefined;
  }
}

/** Finds a client by its name and secret. */
export type FindClient = (credentials: Credentials) => Promise<Client | undefined>;

/** The caller of a Basic header, with all scopes of the client. */
export async function callerOfBasic(authorization: string, find: FindClient): Promise<Caller> {
  const credentials = readBasic(authorization);
  const client = credentials && (await find(credentials));
  if (client === undefined) throw errors.badCredentials().withHeaders({ 'WWW-Authenticate': 'Bearer realm="gable"' });
  const { id, scopes, member } = client;
  return { subject: id, scopes: new Set(scopes), ...(member !== undefined && { member }) };
}

/** The spelling of a Basic header that most clients send. */
export function canonicalBasic(authorization: string): string {
  const encoded = authorization.replace(/^\S+ +/, '');
  return `Basic ${Buffer.from(encoded, 'base64').toString('base64')}`;
}
