import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { policyOf, UsageError } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import type { ReadBeside } from '../csdl/read-documents.js';
import type { ModelSource } from '../csdl/read-text.js';
import type { ReadOptions } from '../generate.js';
import type { Policy } from '../policy.js';

/** The options that every command about a model has. */
export const modelOptions = {
  config: { type: 'string' },
  lenient: { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
} as const;

/** What help texts say of them. */
export const modelOptionsHelp = `  --lenient       go on where a document leaves something out or says it wrong, and warn
  --strict        refuse it; the default, unless the configuration says otherwise
  --config FILE   the configuration; gable.config.ts, .mjs, .js or .json when left out`;

/** What the command line says. */
export interface ModelArguments {
  readonly model?: string | undefined;
  readonly output?: string | undefined;
  readonly config?: string | undefined;
  readonly lenient: boolean;
  readonly strict: boolean;
}

/** What is read and written, and how strictly, by the command line and the configuration. */
export interface ModelChoice {
  readonly model: string;
  readonly output: string;
  readonly policy: Policy;
}

/** Reads the configuration; nothing is looked into yet. */
export async function chooseModel({ model, output, config: named, lenient, strict }: ModelArguments): Promise<ModelChoice> {
  if (lenient && strict) throw new UsageError('--lenient and --strict exclude each other.');
  const config = await loadConfig(process.cwd(), named);
  return {
    model: model ?? config.model ?? join('model', 'metadata.xml'),
    output: output ?? config.output ?? 'generated',
    policy: policyOf(config, lenient ? 'lenient' : strict ? 'strict' : undefined),
  };
}

/** The bytes of a model that is there, and how to read it. */
export function openModel({ model, policy }: Pick<ModelChoice, 'model' | 'policy'>): { readonly source: ModelSource; readonly options: ReadOptions } {
  return { source: { path: model.replaceAll('\\', '/'), bytes: readFileSync(model) }, options: { readBeside: readBeside(dirname(resolve(model))), policy } };
}

// The name is one segment; a folder of that name is no document.
function readBeside(folder: string): ReadBeside {
  return (name) => {
    const path = join(folder, name);
    return existsSync(path) && statSync(path).isFile() ? readFileSync(path) : undefined;
  };
}
