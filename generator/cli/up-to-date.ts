import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Diagnostic } from '../model-error.js';
import type { OutputFile } from '../output/header.js';
import { listFiles, type TreePlan } from '../output/output-tree.js';
import { Sources } from '../sources.js';
import { packageRoot } from '../version.js';
import type { Found } from './print-outcome.js';
import type { RunOptions } from './run-once.js';

/** What a run would find that changes nothing. */
interface Current {
  readonly plan: TreePlan;
  readonly found: Found;
}

/** What is kept of a run: what it was made from, what it wrote, and what it said. */
interface Kept {
  readonly key: string;
  readonly files: readonly string[];
  /** The texts that the diagnostics point into; none where there are none. */
  readonly texts: readonly (readonly [path: string, text: string])[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The outcome of a run that would change nothing, where an earlier run of the same code over the same bytes found so. */
export function isKnownCurrent(options: RunOptions): Current | undefined {
  const place = cachePlace(options);
  if (place === undefined || !existsSync(place)) return undefined;
  const { key, files, texts, diagnostics } = JSON.parse(readFileSync(place, 'utf8')) as Kept;
  // What was created once lies outside of the output, and is looked for here.
  if (key !== keyOf(options) || files.some((path) => !existsSync(join(options.output, path)))) return undefined;
  const sources = new Sources();
  for (const [path, text] of texts) sources.add(path, text);
  return { plan: { added: [], changed: [], removed: [], unchanged: files, refused: [] }, found: { sources, diagnostics } };
}

/** Keeps that the output is what the model says, together with everything that this was found from, and all that was found. */
export function rememberCurrent(options: RunOptions, { files, sources, diagnostics }: Found & { readonly files: readonly OutputFile[] }): void {
  const place = cachePlace(options);
  if (place === undefined) return;
  mkdirSync(dirname(place), { recursive: true });
  const texts = diagnostics.length === 0 ? [] : sources.texts.map(({ path, text }) => [path, text] as const);
  const kept: Kept = { key: keyOf(options), files: files.map(({ path }) => path), texts, diagnostics };
  writeFileSync(place, JSON.stringify(kept));
}

// Where tools keep what can be lost; a project without installed packages keeps nothing.
function cachePlace({ output }: RunOptions): string | undefined {
  const project = dirname(resolve(output));
  if (!existsSync(join(project, 'node_modules'))) return undefined;
  const name = createHash('sha256').update(relative(project, resolve(output))).digest('hex').slice(0, 16);
  return join(project, 'node_modules', '.cache', 'gable', `run-${name}.json`);
}

const code = ['generator/templates', 'dist/generator', 'dist/runtime/edm', 'dist/runtime/schema', 'dist/runtime/errors'];

// The code, what stands beside the model, and the output, byte for byte: whatever differs, the run is made in full.
function keyOf({ model, output, policy, overlay }: RunOptions): string {
  const hash = createHash('sha256').update(`${process.version} ${resolve(model)} ${JSON.stringify(policy)}`);
  const beside = readdirSync(dirname(resolve(model)), { withFileTypes: true }).filter((entry) => entry.isFile());
  const files = [
    join(packageRoot, 'package.json'),
    ...code.flatMap((folder) => filesOf(join(packageRoot, folder))),
    ...beside.map(({ name }) => join(dirname(resolve(model)), name)),
    ...(overlay === undefined ? [] : [resolve(overlay)]),
    ...filesOf(resolve(output)),
  ];
  for (const file of files.filter((name) => read.test(name))) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

// Not what the compiler adds beside the code for editors.
const read = /(?<!\.d)\.(js|ts|hbs|jsonc?|sql|md|xml)$/;

function filesOf(folder: string): readonly string[] {
  return listFiles(folder, '').map((path) => join(folder, path));
}
