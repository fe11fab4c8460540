import { existsSync, readFileSync } from 'node:fs';
import { own } from '../edm/index.js';
import { suggestion } from '../errors/suggest.js';
import { settings, type Setting, type SettingValues } from './settings.js';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The source of a value. */
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
  return { values: Object.fromEntries(values) as unknown as SettingValues, sources, faults };
}

function find(variable: string | undefined, member: unknown): readonly [Source, string?] {
  if (variable !== undefined) return ['environment', variable];
  if (member === undefined) return ['default'];
  if (Array.isArray(member) && member.every((item) => typeof item === 'string')) return ['file', member.join(',')];
  return ['file', typeof member === 'object' ? JSON.stringify(member) : String(member)];
}

function parse(setting: Setting<unknown>, text: string, name: string, faults: string[]): unknown {
  const value = setting.parse(text);
  if (value === undefined) faults.push(`${name}: ${setting.rule}${setting.secret ? '' : `; it is '${text}'`}.`);
  return value ?? setting.fallback;
}

function readFile(named: string | undefined, faults: string[]): { readonly [name: string]: unknown } {
  const path = named || configFile;
  if (!named && !existsSync(path)) return {};
  const file = parseFile(path, faults);
  const unknown = Object.keys(file).filter((name) => !Object.hasOwn(settings, name));
  faults.push(...unknown.map((name) => `${path}: there is no setting ${name}.${suggestion(name, Object.keys(settings))}`));
  return file;
}

function parseFile(path: string, faults: string[]): { readonly [name: string]: unknown } {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as { readonly [name: string]: unknown };
    faults.push(`${path}: must contain one JSON object.`);
  } catch (failure) {
    faults.push(
      `${path}: cannot be read as JSON: ${failure instanceof SyntaxError ? failure.message.replace(/, ".*$/s, '') : (failure as Error).message}.`,
    );
  }
  return {};
}

// A misspelt variable could silently leave a security setting at its default.
function unknownVariables(environment: Environment): readonly string[] {
  const known = ['GABLE_CONFIG', ...Object.values(settings).map(({ variable }) => variable)];
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('GABLE_') && !known.includes(name) && !isServiceLink(name, environment[name] ?? ''),
  );
  return unknown.map((name) => `${name}: there is no such setting.${suggestion(name, known)}`);
}

// Kubernetes passes the services of a namespace to each container: one named gable as `GABLE_SERVICE_HOST`,
// `GABLE_PORT=tcp://...` and others.
function isServiceLink(name: string, value: string): boolean {
  if (name === 'GABLE_PORT') return /^(tcp|udp|sctp):\/\//.test(value);
  return /^GABLE_(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/.test(name);
}
