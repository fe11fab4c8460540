import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse, type ParseError } from 'jsonc-parser';
import { messageOf } from '../csdl/json-tree.js';
import { checkConfig, syntaxError, UsageError } from './config.js';
import type { Config } from './types.js';

/** The names of configuration files, by precedence. */
const configNames = ['gable.config.ts', 'gable.config.mjs', 'gable.config.js', 'gable.config.json'] as const;

/** The paths that the configuration of a folder can have, by precedence. */
export function configPaths(folder: string, named?: string): readonly string[] {
  return named === undefined ? configNames.map((name) => join(folder, name)) : [resolve(folder, named)];
}

/** The configuration of a folder, or the named file; empty without one. */
export async function loadConfig(folder: string, named?: string): Promise<Config> {
  const path = named === undefined ? configPaths(folder).find((candidate) => existsSync(candidate)) : resolve(folder, named);
  if (path === undefined) return {};
  if (!existsSync(path)) throw new UsageError(`There is no configuration ${named ?? path}.`);
  if (!statSync(path).isFile()) throw new UsageError(`${named ?? path} is a folder; name the configuration in it.`);
  return checkConfig(await readConfig(path), named ?? path.slice(path.search(/[^/\\]+$/)));
}

function readConfig(path: string): Promise<unknown> {
  switch (extname(path)) {
    case '.json':
      return Promise.resolve(readJson(path));
    case '.ts':
      return readTypeScript(path);
    default:
      // Another address once it has changed: Node loads one only once.
      return defaultOf(`${pathToFileURL(path).href}?${statSync(path).mtimeMs}`, path);
  }
}

function readJson(path: string): unknown {
  const errors: ParseError[] = [];
  const text = readFileSync(path, 'utf8');
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) throw syntaxError(path, text, first.offset, messageOf(first));
  return value;
}

// The compiler strips the types, and the result is imported as a data URL, which works on every supported Node. It may
// import types and packages by URL, not files of the folder.
async function readTypeScript(path: string): Promise<unknown> {
  return defaultOf(`data:text/javascript;base64,${Buffer.from(await compiled(path)).toString('base64')}`, path);
}

// Loaded lazily: most configurations are read without the compiler.
async function compiled(path: string): Promise<string> {
  const { transpile } = await import('./transpile.js');
  return transpile(path);
}

async function defaultOf(address: string, path: string): Promise<unknown> {
  const module = await importModule(address, path);
  if (!('default' in module)) throw new UsageError(`${path} has no default export: write 'export default { ... }'.`);
  return module.default;
}

async function importModule(address: string, path: string): Promise<object> {
  try {
    return (await import(address)) as object;
  } catch (error) {
    // Node's syntax errors have no position for a message.
    if (error instanceof SyntaxError) await compiled(path);
    throw new UsageError(`${path} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}
