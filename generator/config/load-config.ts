import { existsSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { checkConfig, UsageError } from './config.js';
import type { Config } from './types.js';

/** Where a configuration is looked for, in this order. */
const configNames = ['gable.config.ts', 'gable.config.mjs', 'gable.config.js', 'gable.config.json'] as const;

/** The configuration of a folder, or the named one; none is an empty one. */
export async function loadConfig(folder: string, named?: string): Promise<Config> {
  const path =
    named === undefined ? configNames.map((name) => join(folder, name)).find((candidate) => existsSync(candidate)) : resolve(folder, named);
  if (path === undefined) return {};
  if (!existsSync(path)) throw new UsageError(`There is no configuration ${named ?? path}.`);
  return checkConfig(await readConfig(path), named ?? path.slice(path.search(/[^/\\]+$/)));
}

function readConfig(path: string): Promise<unknown> {
  switch (extname(path)) {
    case '.json':
      return Promise.resolve(readJson(path));
    case '.ts':
      return readTypeScript(path);
    default:
      return defaultOf(pathToFileURL(path).href, path);
  }
}

function readJson(path: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(readFileSync(path, 'utf8'), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined)
    throw new UsageError(`${path} is not well-formed: ${printParseErrorCode(first.error)} at character ${first.offset + 1}.`);
  return value;
}

// Every supported Node reads it the same way: its types are taken away by the compiler that writes our code, and what is
// left is imported as text. It may import types and packages by address, not files beside it.
async function readTypeScript(path: string): Promise<unknown> {
  const { ts } = await import('ts-morph');
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  return defaultOf(`data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`, path);
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
    throw new UsageError(`${path} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}
