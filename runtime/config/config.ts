import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { own } from '../edm/index.js';
import { editDistance, suggestion } from '../errors/suggest.js';
import type { TokenSettings } from '../identity/authenticate.js';
import type { PlanOptions } from '../plan/limits.js';
import { type Setting, settings, type SettingValues } from './settings.js';

type Passed = Omit<SettingValues, 'databaseUrl' | 'migrateUrl' | 'secret' | 'tokenIssuer' | 'tokenAudience' | 'overTop'>;

/** The configuration, validated once at the start. */
export interface Config extends Passed {
  readonly databaseUrl?: string;
  readonly migrateUrl?: string;
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
  const { databaseUrl, migrateUrl, secret, tokenIssuer, tokenAudience, overTop, ...rest } = values;
  const directory = resolve(values.directory);
  return {
    ...rest,
    directory,
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(migrateUrl !== undefined && { migrateUrl }),
    plan: { overTop },
    token: { issuer: tokenIssuer, audience: tokenAudience, secret: secret ?? storedSecret(directory) },
  };
}

/** The configuration of the connection that migrates. */
export function configToMigrate(config: Config): Config {
  return config.migrateUrl === undefined ? config : { ...config, databaseUrl: config.migrateUrl };
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

type Environment = Readonly<Record<string, string | undefined>>;

type Source = 'environment' | 'file' | 'default';

/** The settings as read, with all faults. */
export interface ReadSettings {
  readonly values: SettingValues;
  readonly sources: { readonly [name: string]: Source };
  readonly faults: readonly string[];
}

/** The default path of the settings file. */
export const configFile = 'gable.json';

/** Reads all settings: the environment takes precedence over the file, the file over the default. */
export function readSettings(environment: Environment): ReadSettings {
  const faults: string[] = [];
  const file = readFile(environment['GABLE_CONFIG'], faults);
  const sources: Record<string, Source> = {};
  const values = Object.entries(settings).map(([name, row]) => {
    const setting = row as Setting<unknown>;
    const [source, text] = find(environment[setting.variable] || undefined, own(file, name));
    sources[name] = source;
    return [
      name,
      text === undefined ? setting.fallback : parse(setting, text, source === 'file' ? name : setting.variable, faults),
    ] as const;
  });
  faults.push(...unknownVariables(environment));
  // The rows of the table are the members of the type.
  const read = Object.fromEntries(values) as unknown as SettingValues;
  if (read.operationsPort > 0 && read.operationsPort === read.port)
    faults.push(`GABLE_OPERATIONS_PORT: must differ from PORT; both are ${read.port}.`);
  return { values: read, sources, faults };
}

function find(variable: string | undefined, member: unknown): readonly [Source, string?] {
  if (variable !== undefined) return ['environment', variable];
  if (member === undefined) return ['default'];
  if (Array.isArray(member) && member.every((item) => typeof item !== 'object')) return ['file', member.join(',')];
  return ['file', typeof member === 'object' ? JSON.stringify(member) : String(member)];
}

function parse(setting: Setting<unknown>, text: string, name: string, faults: string[]): unknown {
  const value = setting.parse(text);
  const parts = setting.faultsIn?.(text) ?? [];
  if (value === undefined) faults.push([`${name}: ${setting.rule}${setting.secret ? '' : `; it is '${text}'`}.`, ...parts].join(' '));
  return value ?? setting.fallback;
}

function readFile(named: string | undefined, faults: string[]): { readonly [name: string]: unknown } {
  const path = named || configFile;
  if (!named && !existsSync(path)) return {};
  const file = parseFile(path, faults);
  const unknown = Object.keys(file).filter((name) => !Object.hasOwn(settings, name));
  faults.push(...unknown.map((name) => `${path}: there is no setting ${name}.${settingHint(name, Object.keys(settings))}`));
  const empty = Object.keys(file).filter((name) => file[name] === null);
  faults.push(...empty.map((name) => `${path}: ${name} is null; omit it for its default.`));
  return Object.fromEntries(Object.entries(file).filter(([, member]) => member !== null));
}

function parseFile(path: string, faults: string[]): { readonly [name: string]: unknown } {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as { readonly [name: string]: unknown };
    faults.push(`${path}: must contain one JSON object.`);
  } catch (failure) {
    faults.push(
      `${path}: cannot be read as JSON: ${failure instanceof SyntaxError ? failure.message.replace(/, ".*$/s, '') : (failure as Error).message}.`,
    );
  }
  return {};
}

/** Variables that are no settings: the file of settings, and the credentials of commands that read from a service. */
const variablesOfCommands = ['GABLE_CONFIG', 'GABLE_TOKEN', 'GABLE_CLIENT_SECRET'];

// A misspelt variable could silently leave a security setting at its default, or a replica without use.
function unknownVariables(environment: Environment): readonly string[] {
  const known = [...variablesOfCommands, ...Object.values(settings).map(({ variable }) => variable)];
  const missing = known.filter((name) => environment[name] === undefined).map((name) => name.toLowerCase());
  const unknown = Object.keys(environment).filter(
    (name) =>
      !known.includes(name) &&
      (name.startsWith('GABLE_') ? !isServiceLink(name, environment[name] ?? '') : isNearTo(name.toLowerCase(), missing)),
  );
  return unknown.map((name) => `${name}: there is no such setting.${settingHint(name, known, variableOf(name))}`);
}

// Other programs have names of their own, so only a long name that differs by a letter, or in its case, is taken for a misspelt one.
function isNearTo(name: string, missing: readonly string[]): boolean {
  return missing.some((each) => each.length >= 8 && editDistance(name, each, 1) <= 1);
}

// The variable of a member of the file, by the name that follows from the member's: `GABLE_REPLICAS` of `replicas`.
function variableOf(name: string): string | undefined {
  const written = name.replaceAll('_', '').toLowerCase();
  return Object.entries(settings).find(([member]) => `gable${member.toLowerCase()}` === written)?.[1].variable;
}

// The beginning of a name is not always near to the whole, and may be near to another one; likewise a name with a prefix that
// the setting lacks.
function settingHint(name: string, known: readonly string[], meant?: string): string {
  if (meant !== undefined) return ` Did you mean ${meant}?`;
  const written = name.toLowerCase();
  const longer = known.filter((each) => each.toLowerCase().startsWith(written) || `gable_${each.toLowerCase()}` === written);
  return longer.length === 0 ? suggestion(name, known) : ` Did you mean ${longer.join(' or ')}?`;
}

// Kubernetes passes the services of a namespace to each container: one named gable as `GABLE_SERVICE_HOST`,
// `GABLE_PORT=tcp://...` and others.
function isServiceLink(name: string, value: string): boolean {
  if (name === 'GABLE_PORT') return /^(tcp|udp|sctp):\/\//.test(value);
  return /^GABLE_(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/.test(name);
}
