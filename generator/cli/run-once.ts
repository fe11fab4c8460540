import { accessSync, constants, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { OnProgress } from '../../runtime/tools/cli/progress.js';
import type { Home } from '../emit/place-imports.js';
import type { Generated } from '../generate.js';
import { UndecidedError } from '../migrate/plan-migrations.js';
import { readMigrations } from '../migrate/read-migrations.js';
import { ModelError, type Diagnostic } from '../model-error.js';
import { lockIn, planTree, writeTree, type TreePlan, listFiles } from '../output/output-tree.js';
import { lockedHandlers } from '../output/lock.js';
import { isInterrupted, recover } from '../output/stage.js';
import { exitCodes } from './exit-codes.js';
import { isAsked, type MigrationChoice } from './migration-options.js';
import { bytesOf, openModel, type ModelChoice } from './open-model.js';
import type { Outcome, Found, Result } from './print-outcome.js';
import { createHash } from 'node:crypto';
import type { OutputFile } from '../output/header.js';
import { Sources } from '../sources.js';
import { packageRoot } from '../version.js';

/** The inputs and the output of a run, and whether it writes. */
export interface RunOptions extends ModelChoice {
  readonly mode: 'write' | 'check' | 'dry-run';
  readonly migrations: MigrationChoice;
  readonly onProgress?: OnProgress;
}

/** Runs the generator once; faults of the model or the folder are part of the outcome. */
export async function runOnce(options: RunOptions): Promise<Outcome> {
  const started = performance.now();
  const result = await resultOf(options);
  return { ...result, model: options.model, milliseconds: Math.round(performance.now() - started) };
}

async function resultOf(options: RunOptions): Promise<Result> {
  const { model, output, mode } = options;
  if (!existsSync(model)) return { kind: 'missing', exitCode: exitCodes.badInput };
  if (mode === 'write') recover(output);
  const before = lockIn(output);
  const inputs = inputsOf(options);
  const known = isAsked(options.migrations) ? undefined : isKnownCurrent(options, inputs);
  if (known !== undefined) return { kind: 'planned', output, mode, ...known, waiting: false, exitCode: exitCodes.ok };
  try {
    const generated = await generateFrom(options);
    const { files, migrations } = generated;
    const plan = planTree(output, files, migrations.removed);
    const exitCode = exitCodeOf(plan, options);
    if (exitCode === exitCodes.ok && mode === 'write') writeTree(output, files, plan, before);
    if (exitCode === exitCodes.ok && mode !== 'dry-run' && !migrations.waiting) rememberCurrent(options, inputs, generated);
    return { kind: 'planned', output, mode, plan, found: generated, waiting: migrations.waiting, exitCode };
  } catch (error) {
    if (error instanceof UndecidedError)
      return { kind: 'undecided', found: error.found, problems: error.problems, exitCode: exitCodes.badInput };
    if (!(error instanceof ModelError)) throw error;
    return { kind: 'faulty', found: error, exitCode: exitCodes.badInput };
  }
}

/** The model's path in headers, relative to the output, so that a run from another folder gives the same bytes. */
function sourceName({ model, output }: Pick<RunOptions, 'model' | 'output'>): string {
  const path = relative(dirname(resolve(output)), resolve(model));
  return path.startsWith('..') ? basename(model) : path.split(sep).join('/');
}

async function generateFrom(options: RunOptions): Promise<Generated> {
  // Loaded lazily, because a run without changes does not need it.
  const { generate } = await import('../generate.js');
  const opened = openModel(options);
  return generate(opened.source, {
    ...opened.options,
    origin: sourceName(options),
    home: homeOf(options.output),
    former: lockedHandlers(lockIn(options.output)),
    migrations: { ...options.migrations, texts: readMigrations(options.output) },
    onProgress: options.onProgress,
  });
}

/** The package of the output: this one, or a project that depends on it. */
function homeOf(output: string): Home {
  const manifest = join(dirname(resolve(output)), 'package.json');
  const { name } = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly name?: unknown }) : {};
  return name === 'gable' ? 'package' : 'project';
}

function exitCodeOf({ added, changed, removed, refused }: TreePlan, { mode, output }: RunOptions): number {
  if (mode === 'check' && isInterrupted(output)) return exitCodes.stale;
  if (refused.length > 0) return exitCodes.badInput;
  const isStale = added.length + changed.length + removed.length > 0;
  return mode === 'check' && isStale ? exitCodes.stale : exitCodes.ok;
}

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
function isKnownCurrent(options: RunOptions, inputs: string): Current | undefined {
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
function rememberCurrent(
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

// The usual folder for caches; without installed packages, or where this user may not write there, there is no cache.
function cachePlace({ output }: RunOptions): string | undefined {
  const project = dirname(resolve(output));
  const packages = join(project, 'node_modules');
  const present = [join(packages, '.cache', 'gable'), join(packages, '.cache'), packages].find((folder) => existsSync(folder));
  if (present === undefined || !isWritable(present)) return undefined;
  const name = createHash('sha256')
    .update(relative(project, resolve(output)))
    .digest('hex')
    .slice(0, 16);
  return join(packages, '.cache', 'gable', `run-${name}.json`);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const code = ['generator/templates', 'dist/generator', 'dist/runtime/edm', 'dist/runtime/schema', 'dist/runtime/errors'];

/** A hash of the generator's code and the model's folder, where there is a cache; any difference causes a full run. */
function inputsOf(options: RunOptions): string {
  if (cachePlace(options) === undefined) return '';
  const { model, policy, overlay } = options;
  const folder = dirname(resolve(model));
  const files = [
    join(packageRoot, 'package.json'),
    ...code.flatMap((folder) => filesOf(join(packageRoot, folder))),
    ...readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile()),
    ...(overlay === undefined ? [] : [resolve(overlay)]),
  ];
  return hashOf(files, `${process.version} ${resolve(model)} ${JSON.stringify(policy)}`);
}

function hashOf(files: readonly string[], seed = ''): string {
  const hash = createHash('sha256').update(seed);
  for (const file of files.filter((name) => read.test(name))) hash.update(`${file}\0`).update(bytesOf(file)).update('\0');
  return hash.digest('hex');
}

// Declaration files, which are for editors, are not hashed.
const read = /(?<!\.d)\.(js|ts|hbs|jsonc?|sql|md|xml)$/;

function filesOf(folder: string): readonly string[] {
  return listFiles(folder, '').map((path) => join(folder, path));
}
