/** The credentials of a client, and where they were sent. */
export interface Credentials {
  readonly id: string;
  readonly secret: string;
  readonly from: 'header' | 'body';
}

/** A posted form; undefined when it is not UTF-8, badly encoded, or repeats a name (RFC 6749, 3.2). */
export function parseForm(body: Uint8Array): ReadonlyMap<string, string> | undefined {
  const form = new Map<string, string>();
  for (const pair of textOf(body)?.split('&') ?? [unreadable]) {
    if (pair === '') continue;
    const [name, value] = pair.split(/=(.*)/s).map(decodeFormPart);
    if (name === undefined || value === undefined || form.has(name)) return undefined;
    form.set(name, value);
  }
  return form;
}

const unreadable = '%';

function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    // Not UTF-8, and so no form.
    return undefined;
  }
}

/** A client's name and secret, from the header or the body but not from both (RFC 6749, 2.3). */
export function readCredentials(authorization: string | undefined, form: ReadonlyMap<string, string>): Credentials | undefined {
  const id = form.get('client_id');
  const secret = form.get('client_secret');
  if (authorization === undefined) return id !== undefined && secret !== undefined ? { id, secret, from: 'body' } : undefined;
  const basic = readBasic(authorization);
  if (basic === undefined || secret !== undefined || (id !== undefined && id !== basic.id)) return undefined;
  return basic;
}

// Both parts are form-encoded within the header's base64 (RFC 6749, 2.3.1).
function readBasic(authorization: string): Credentials | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]{1,1024}={0,2})$/i.exec(authorization) ?? [];
  const [, user, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  const id = decodeFormPart(user);
  const secret = decodeFormPart(password);
  return id === undefined || secret === undefined ? undefined : { id, secret, from: 'header' };
}

function decodeFormPart(text: string | undefined): string | undefined {
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
