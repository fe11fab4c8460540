import type { ClientConfig } from 'pg';
import { openSocket } from './row-tap.js';

// Others are rejected, since they would have no effect.
const addressParameters: readonly string[] = ['sslmode', 'host', 'application_name'];

// The modes of libpq. `require` encrypts without verifying the server; the two `verify` modes verify it.
const sslModes: ReadonlyMap<string, { readonly rejectUnauthorized: boolean } | undefined> = new Map([
  ['disable', undefined],
  ['allow', undefined],
  ['prefer', undefined],
  ['require', { rejectUnauthorized: false }],
  ['no-verify', { rejectUnauthorized: false }],
  ['verify-ca', { rejectUnauthorized: true }],
  ['verify-full', { rejectUnauthorized: true }],
]);

/** The rule for addresses, as the end of a sentence. */
export const addressRule = `must have the form postgres://user:password@host:5432/database, with several hosts as host:5432,host:5432, special characters percent-encoded and no parameters other than sslmode (disable, require or verify-full), host, application_name`;

/** The servers of a `postgres://` address, an address each: libpq's form with several hosts. Undefined for other texts. */
export function serversOf(address: string): readonly string[] | undefined {
  const [, before = '', hosts = '', after = ''] = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(address) ?? [];
  const servers = hosts.split(',').map((host) => `${before}${host}${after}`);
  return servers.every(isAddress) ? servers : undefined;
}

// An unencoded special character would end a part early: of `u:a@b#c@host`, `URL` takes `b` for the host.
const encoded = /^postgres(?:ql)?:\/\/(?:[^@#/?]*@)?[^@#?]*(?:\?[^#]*)?$/s;

function isAddress(text: string): boolean {
  return (
    encoded.test(text) &&
    !/%(?![\da-f]{2})/i.test(text) &&
    URL.canParse(text) &&
    [...new URL(text).searchParams].every(
      ([name, value]) => addressParameters.includes(name) && (name !== 'sslmode' || sslModes.has(value)),
    )
  );
}

/** The address without its password, for messages. */
export function redactedUrl(address: string): string {
  return address.replace(/^(\w+:\/\/[^:@/]*):[^/?]*@/, '$1@').replace(/\?.*/s, '');
}

/** The servers of an address, and the driver's settings that they share. */
export function connectionTarget(address: string): { readonly client: ClientConfig; readonly servers: readonly ServerAddress[] } {
  const urls = (serversOf(address) ?? refuseAddress()).map((each) => new URL(each));
  const [parsed = refuseAddress()] = urls;
  const ssl = sslModes.get(parsed.searchParams.get('sslmode') ?? 'prefer');
  const client = {
    database: decodeURIComponent(parsed.pathname.slice(1)) || decodeURIComponent(parsed.username),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    application_name: parsed.searchParams.get('application_name') ?? 'gable',
    keepAlive: true,
    stream: openSocket,
    ...(ssl !== undefined && { ssl }),
  };
  return { client, servers: urls.map(serverAddress) };
}

/** The place of a server. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

function serverAddress({ searchParams, hostname, port }: URL): ServerAddress {
  return { host: searchParams.get('host') ?? (decodeURIComponent(hostname) || '127.0.0.1'), port: Number(port || 5432) };
}

function refuseAddress(): never {
  throw new Error(`DATABASE_URL ${addressRule}.`);
}

// The English messages of PostgreSQL, where only entries for TLS permit the connection, and of PgBouncer.
const refusesPlain = /, (no encryption|SSL off)$|^SSL required$/;

// The driver's message where a server asks for a password.
const lacksPassword = /client password must be a/;

/** The reason of a failed connection, for the person who configured its address. */
export function explainRefusal(message: string): string {
  if (lacksPassword.test(message)) return 'the server asks for a password, and the address has none';
  if (!refusesPlain.test(message)) return message;
  return `${message}; if the server demands TLS, end its address with ?sslmode=require, or verify-full to verify its certificate`;
}
