import type { Socket } from 'node:net';
import { openSocket } from './reading-socket.js';

/** The server and transport, as options of Sequelize. */
interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
  readonly dialectOptions: {
    readonly application_name: string;
    readonly keepAlive: boolean;
    /** Avoids a statement of Sequelize; the session settings include it. */
    readonly clientMinMessages: 'ignore';
    readonly stream: () => Socket;
    readonly ssl?: { readonly rejectUnauthorized: boolean };
  };
}

/** The supported parameters of an address; others are rejected, since they would have no effect. */
export const addressParameters: readonly string[] = ['sslmode', 'host', 'application_name'];

/**
 * Parses a `postgres://` address. Sequelize parses it too, but silently drops `sslmode` and would send data in the
 * clear.
 */
export function connectionTarget(url: string): ConnectionTarget {
  const parsed = parsedUrl(url);
  const ssl = sslOf(parsed.searchParams.get('sslmode') ?? 'prefer');
  return {
    host: parsed.searchParams.get('host') ?? (decodeURIComponent(parsed.hostname) || '127.0.0.1'),
    port: Number(parsed.port || 5432),
    database: decodeURIComponent(parsed.pathname.slice(1)) || decodeURIComponent(parsed.username),
    username: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    dialectOptions: {
      application_name: parsed.searchParams.get('application_name') ?? 'gable',
      keepAlive: true,
      clientMinMessages: 'ignore',
      stream: openSocket,
      ...(ssl !== undefined && { ssl }),
    },
  };
}

/** The address without its password, for messages. */
export function redactedUrl(url: string): string {
  const parsed = parsedUrl(url);
  parsed.password = '';
  parsed.search = '';
  return parsed.href;
}

function parsedUrl(url: string): URL {
  if (URL.canParse(url) && /^postgres(ql)?:/.test(url)) return new URL(url);
  throw new Error('DATABASE_URL must have the form postgres://user:password@host:5432/database.');
}

// The modes of libpq. `require` encrypts without verifying the server; the two `verify` modes verify it.
function sslOf(mode: string): { readonly rejectUnauthorized: boolean } | undefined {
  switch (mode) {
    case 'disable':
    case 'allow':
    case 'prefer':
      return undefined;
    case 'require':
    case 'no-verify':
      return { rejectUnauthorized: false };
    case 'verify-ca':
    case 'verify-full':
      return { rejectUnauthorized: true };
    default:
      throw new Error(`'${mode}' is not a valid value for sslmode in DATABASE_URL: use disable, require or verify-full.`);
  }
}
