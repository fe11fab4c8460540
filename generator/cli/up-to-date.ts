import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Diagnostic } from '../model-error.js';
import type { OutputFile } from '../output/header.js';
import { listFiles, type TreePlan } from '../output/output-tree.js';
import { Sources } from '../sources.js';
import { packageRoot } from '../version.js';
import type { Found } from './print-outcome.js';
import type { RunOptions } from './run-once.js';

/** The outcome of a run without changes. */
interface Current {
  readonly plan: TreePlan;
  readonly found: Found;
}

/** The cache of a run: its inputs, its files, and its diagnostics. */
interface Kept {
  readonly inputs: string;
  readonly output: string;
  readonly files: readonly string[];
  /** The texts that the diagnostics point into. */
  readonly texts: readonly (readonly [path: string, text: string])[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The cached outcome of a run of the same code over the same bytes that would change nothing. */
export function isKnownCurrent(options: RunOptions, inputs: string): Current | undefined {
  const kept = readKept(cachePlace(options));
  if (kept === undefined || kept.inputs !== inputs || kept.output !== hashOf(filesOf(resolve(options.output)))) return undefined;
  const { files, texts, diagnostics } = kept;
  // Files that are created once are outside of the output, and are checked here.
  if (files.some((path) => !existsSync(join(options.output, path)))) return undefined;
  const sources = new Sources();
  for (const [path, text] of texts) sources.add(path, text);
  return { plan: { added: [], changed: [], removed: [], unchanged: files, refused: [], unused: [] }, found: { sources, diagnostics } };
}

/**
 * Caches that the output is current, with all diagnostics. `inputs` are those from before the run: a model saved during
 * the run is not the one that was generated.
 */
export function rememberCurrent(
  options: RunOptions,
  inputs: string,
  { files, sources, diagnostics }: Found & { readonly files: readonly OutputFile[] },
): void {
  const place = cachePlace(options);
  if (place === undefined || inputsOf(options) !== inputs) return;
  mkdirSync(dirname(place), { recursive: true });
  const texts = diagnostics.length === 0 ? [] : sources.texts.map(({ path, text }) => [path, text] as const);
  const kept: Kept = { inputs, output: hashOf(filesOf(resolve(options.output))), files: files.map(({ path }) => path), texts, diagnostics };
  const staged = `${place}.${process.pid}`;
  writeFileSync(staged, JSON.stringify(kept));
  renameSync(staged, place);
}

// A truncated file, or one of another version, is ignored: a full run replaces it.
function readKept(place: string | undefined): Kept | undefined {
  if (place === undefined || !existsSync(place)) return undefined;
  try {
    return JSON.parse(readFileSync(place, 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}

// The usual folder for caches; without installed packages there is no cache.
function cachePlace({ output }: RunOptions): string | undefined {
  const project = dirname(resolve(output));
  if (!existsSync(join(project, 'node_modules'))) return undefined;
  const name = createHash('sha256')
    .update(relative(project, resolve(output)))
    .digest('hex')
    .slice(0, 16);
  return join(project, 'node_modules', '.cache', 'gable', `run-${name}.json`);
}

const code = ['generator/templates', 'dist/generator', 'dist/runtime/edm', 'dist/runtime/schema', 'dist/runtime/errors'];

/** A hash of the generator's code and the model's folder, where there is a cache; any difference causes a full run. */
export function inputsOf(options: RunOptions): string {
  if (cachePlace(options) === undefined) return '';
  const { model, policy, overlay } = options;
  const siblings = readdirSync(dirname(resolve(model)), { withFileTypes: true }).filter((entry) => entry.isFile());
  const files = [
    join(packageRoot, 'package.json'),
    ...code.flatMap((folder) => filesOf(join(packageRoot, folder))),
    ...siblings.map(({ name }) => join(dirname(resolve(model)), name)),
    ...(overlay === undefined ? [] : [resolve(overlay)]),
  ];
  return hashOf(files, `${process.version} ${resolve(model)} ${JSON.stringify(policy)}`);
}

function hashOf(files: readonly string[], seed = ''): string {
  const hash = createHash('sha256').update(seed);
  for (const file of files.filter((name) => read.test(name))) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

// Declaration files, which are for editors, are not hashed.
const read = /(?<!\.d)\.(js|ts|hbs|jsonc?|sql|md|xml)$/;

function filesOf(folder: string): readonly string[] {
  return listFiles(folder, '').map((path) => join(folder, path));
}
