import { existsSync, readFileSync, statSync, readdirSync } from 'node:fs';
import { dirname, join, resolve, basename } from 'node:path';
import { policyOf, UsageError } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import type { ModelSource } from '../csdl/read-text.js';
import type { ReadOptions } from '../generate.js';
import type { Policy } from '../policy.js';
import { suggestion } from '../../runtime/errors/suggest.js';

/** The options of every command that reads a model. */
export const modelOptions = {
  config: { type: 'string' },
  overlay: { type: 'string' },
  lenient: { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
} as const;

/** Their part of the help text. */
export const modelOptionsHelp = `  --overlay FILE  supplements to the document (default: overlay.jsonc next to the model)
  --lenient       accept gaps and mistakes of a document with a warning each
  --strict        reject them; the default, unless the configuration sets lenient
  --config FILE   the configuration (default: gable.config.ts, .mjs, .js or .json)`;

/** The parsed options. */
export interface ModelArguments {
  readonly model?: string | undefined;
  readonly output?: string | undefined;
  readonly config?: string | undefined;
  readonly overlay?: string | undefined;
  readonly lenient: boolean;
  readonly strict: boolean;
}

/** The input, the output and the policy, from the command line and the configuration. */
export interface ModelChoice {
  readonly model: string;
  readonly output: string;
  readonly policy: Policy;
  /** The overlay, if there is one. */
  readonly overlay: string | undefined;
}

/** Reads the configuration; the model is not read yet. */
export async function chooseModel({ model, output, config: named, overlay, lenient, strict }: ModelArguments): Promise<ModelChoice> {
  if (lenient && strict) throw new UsageError('--lenient and --strict exclude each other.');
  const config = await loadConfig(process.cwd(), named);
  const path = model ?? config.model ?? join('model', 'metadata.xml');
  return {
    model: path,
    overlay: overlayOf(path, overlay ?? config.overlay),
    output: output ?? config.output ?? 'generated',
    policy: policyOf(config, lenient ? 'lenient' : strict ? 'strict' : undefined),
  };
}

/** The only model of a command line, if it names one. */
export function onlyModel([model, second]: readonly string[]): string | undefined {
  if (second !== undefined) throw new UsageError(`Name one model only; unexpected argument '${second}'.`);
  return model;
}

/** The default path of a model's overlay. */
export function defaultOverlay(model: string): string {
  return join(dirname(model), 'overlay.jsonc');
}

function overlayOf(model: string, named: string | undefined): string | undefined {
  if (named !== undefined && !existsSync(named)) throw new UsageError(`There is no overlay ${named}.`);
  const sibling = defaultOverlay(model);
  return named ?? (existsSync(sibling) ? sibling : undefined);
}

/** The bytes of an existing model, and the options for reading it. */
export function openModel({ model, policy, overlay }: Pick<ModelChoice, 'model' | 'policy' | 'overlay'>): {
  readonly source: ModelSource;
  readonly options: ReadOptions;
} {
  // The name is one segment; a folder with that name is ignored.
  return {
    source: read(model),
    options: {
      readNeighbour: (name) => readFile(join(dirname(resolve(model)), name)),
      policy,
      overlay: overlay === undefined ? undefined : read(overlay),
    },
  };
}

/** The content of a file; undefined if there is none. */
export function readFile(path: string): Uint8Array | undefined {
  return existsSync(path) && statSync(path).isFile() ? readFileSync(path) : undefined;
}

function read(path: string): ModelSource {
  return { path: path.replaceAll('\\', '/'), bytes: bytesOf(path) };
}

/** The bytes of an input; a file that cannot be read, or has just been removed, is a usage error. */
export function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UsageError(code === 'EISDIR' ? `${path} is a folder; name the document in it.` : `${path} cannot be read: ${message}.`);
  }
}

/** The message for a missing file, with the nearest name in its folder. */
export function missingFile(path: string): string {
  return `There is no file ${path}.${nearest(path)}`;
}

function nearest(path: string): string {
  const folder = dirname(path);
  try {
    return suggestion(basename(path), readdirSync(folder)).replace(/(?<=mean ).*(?=\?$)/, (name) => join(folder, name));
  } catch {
    // The folder is missing or not readable, so there is no name to suggest.
    return '';
  }
}
