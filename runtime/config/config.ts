import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TokenSettings } from '../identity/authenticate.js';
import type { PlanOptions } from '../plan/limits.js';
import { readSettings, type Environment } from './read-settings.js';
import { settings, type SettingValues } from './settings.js';

type Passed = Omit<
  SettingValues,
  | 'databaseUrl'
  | 'prepare'
  | 'compression'
  | 'metrics'
  | 'serverTiming'
  | 'traces'
  | 'publicMetadata'
  | 'secret'
  | 'tokenIssuer'
  | 'tokenAudience'
  | 'overTop'
  | 'topMeaning'
>;

/** The configuration, validated once at the start. */
export interface Config extends Passed {
  readonly databaseUrl?: string;
  readonly prepare: boolean;
  readonly compression: boolean;
  readonly metrics: boolean;
  readonly serverTiming: boolean;
  readonly traces: boolean;
  readonly publicMetadata: boolean;
  readonly token: TokenSettings;
  readonly plan: PlanOptions;
}

/** The error for an invalid setting, which stops the start. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** The exit code: bad input. */
  readonly exitCode = 2;
}

/** Reads the configuration from the environment and the file; reports all faults together. */
export function readConfig(environment: Environment): Config {
  const { values, faults } = readSettings(environment);
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  if (values.operationsPort > 0 && values.operationsPort === values.port)
    throw new ConfigError(`GABLE_OPERATIONS_PORT: must differ from PORT; both are ${values.port}.`);
  const { databaseUrl, secret, tokenIssuer, tokenAudience, overTop, topMeaning, ...rest } = values;
  const directory = resolve(values.directory);
  return {
    ...rest,
    directory,
    ...(databaseUrl !== undefined && { databaseUrl }),
    prepare: values.prepare === 'true',
    compression: values.compression === 'true',
    metrics: values.metrics === 'true',
    serverTiming: values.serverTiming === 'true',
    traces: values.traces === 'true',
    publicMetadata: values.publicMetadata === 'true',
    plan: { overTop, topMeaning },
    token: { issuer: tokenIssuer, audience: tokenAudience, secret: secret ?? storedSecret(directory) },
  };
}

// Generated once and stored, so that tokens and page links survive a restart.
function storedSecret(directory: string): string {
  const file = join(directory, 'secret');
  if (!existsSync(file)) writeSecret(directory, file);
  const { rule, parse } = settings.secret;
  const secret = parse(readFileSync(file, 'utf8').trim());
  if (secret === undefined)
    throw new ConfigError(`${file}: ${rule}. Delete it to generate a new one; this invalidates existing tokens and page links.`);
  return secret;
}

// The complete file is linked into place. Of two processes that start together, the first one's secret is kept.
function writeSecret(directory: string, file: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
    linkSync(draft, file);
  } catch (failure) {
    if (!(failure instanceof Error && 'code' in failure && failure.code === 'EEXIST')) throw failure;
  } finally {
    rmSync(draft, { force: true });
  }
}
