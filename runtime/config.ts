import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TokenSettings } from './http/authenticate.js';
import type { PlanOptions } from './plan/limits.js';

/** Everything that can be set from outside, checked once at the start. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Base of every absolute link, without `/odata`; undefined means the address that the service listens on. */
  readonly publicUrl: string | undefined;
  /** A PostgreSQL server to use instead of the embedded one. */
  readonly databaseUrl?: string;
  /** Where the embedded database and the generated secret live. */
  readonly directory: string;
  readonly poolSize: number;
  /** Whether statements are prepared by name; off behind a pooler that cannot have that. */
  readonly prepare: boolean;
  /** Requests that one token may make in a minute; 0 for any number. */
  readonly requestsPerMinute: number;
  readonly token: TokenSettings;
  readonly plan: PlanOptions;
  readonly publicMetadata: boolean;
}

/** A setting that cannot be used; the start stops. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** How a command ends that meets it: bad input. */
  readonly exitCode = 2;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the configuration from environment variables; every fault is told at once. */
export function readConfig(environment: Environment): Config {
  const faults: string[] = [];
  const read = reader(environment, faults);
  const directory = resolve(read.text('GABLE_DIRECTORY', '.gable'));
  const databaseUrl = read.databaseUrl('DATABASE_URL');
  const config = {
    host: read.text('HOST', '127.0.0.1'),
    port: read.whole('PORT', 4004, 0, 65535),
    publicUrl: read.url('GABLE_PUBLIC_URL'),
    directory,
    poolSize: read.whole('GABLE_POOL_SIZE', 10, 1, 100),
    prepare: read.choice('GABLE_PREPARE', ['true', 'false']) === 'true',
    requestsPerMinute: read.whole('GABLE_REQUESTS_PER_MINUTE', 0, 0, 1_000_000),
    plan: { overTop: read.choice('GABLE_OVER_TOP', ['reject', 'clamp']), topMeaning: read.choice('GABLE_TOP_MEANING', ['pageSize', 'total']) },
    publicMetadata: read.choice('GABLE_PUBLIC_METADATA', ['false', 'true']) === 'true',
    issuer: read.text('GABLE_TOKEN_ISSUER', 'gable'),
    audience: read.text('GABLE_TOKEN_AUDIENCE', 'gable'),
    secret: read.secret('GABLE_SECRET'),
  };
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  const { issuer, audience, secret, ...rest } = config;
  return { ...rest, ...(databaseUrl !== undefined && { databaseUrl }), token: { issuer, audience, secret: secret ?? storedSecret(directory) } };
}

function reader(environment: Environment, faults: string[]): Reader {
  const fault = (name: string, rule: string): void => void faults.push(`${name}: ${rule}; it is '${environment[name]}'.`);
  const value = (name: string): string | undefined => environment[name] || undefined;
  return {
    text: (name, fallback) => value(name) ?? fallback,
    whole: (name, fallback, low, high) => {
      const number = value(name) === undefined ? fallback : Number(value(name));
      if (!Number.isInteger(number) || number < low || number > high) fault(name, `must be a whole number from ${low} to ${high}`);
      return number;
    },
    choice: (name, choices) => {
      const chosen = choices.find((choice) => choice === value(name));
      if (chosen === undefined && value(name) !== undefined) fault(name, `must be ${choices.join(' or ')}`);
      return chosen ?? choices[0];
    },
    url: (name) => {
      const text = value(name);
      if (text !== undefined && !/^https?:\/\/[^\s?#]+$/.test(text)) fault(name, 'must be an http or https address without query');
      return text?.replace(/\/+$/, '');
    },
    databaseUrl: (name) => {
      if (value(name) !== undefined && !/^postgres(ql)?:\/\//.test(value(name) ?? '')) faults.push(`${name}: must begin with postgres://.`);
      return value(name);
    },
    // The value itself is never repeated in a message.
    secret: (name) => {
      if (value(name) !== undefined && (value(name) ?? '').length < 32) faults.push(`${name}: must have at least 32 characters.`);
      return value(name);
    },
  };
}

interface Reader {
  readonly text: (name: string, fallback: string) => string;
  readonly whole: (name: string, fallback: number, low: number, high: number) => number;
  readonly choice: <Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]) => Choice;
  readonly url: (name: string) => string | undefined;
  readonly databaseUrl: (name: string) => string | undefined;
  readonly secret: (name: string) => string | undefined;
}

// Made once and kept, so that tokens and page links outlive a restart.
function storedSecret(directory: string): string {
  const file = join(directory, 'secret');
  if (!existsSync(file)) {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  }
  return readFileSync(file, 'utf8').trim();
}
