import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { OnProgress } from '../../runtime/tools/cli/progress.js';
import type { Home } from '../emit/place-imports.js';
import type { Generated } from '../generate.js';
import { UndecidedError } from '../migrate/plan-migrations.js';
import { readMigrations } from '../migrate/read-migrations.js';
import { ModelError } from '../model-error.js';
import { lockIn, planTree, writeTree, type TreePlan } from '../output/output-tree.js';
import { lockedHandlers } from '../output/lock.js';
import { isInterrupted, recover } from '../output/stage.js';
import { exitCodes } from './exit-codes.js';
import { isAsked, type MigrationChoice } from './migration-options.js';
import { openModel, type ModelChoice } from './open-model.js';
import type { Outcome } from './print-outcome.js';
import { inputsOf, isKnownCurrent, rememberCurrent } from './up-to-date.js';

/** The inputs and the output of a run, and whether it writes. */
export interface RunOptions extends ModelChoice {
  readonly mode: 'write' | 'check' | 'dry-run';
  readonly migrations: MigrationChoice;
  readonly onProgress?: OnProgress;
}

/** Runs the generator once; faults of the model or the folder are part of the outcome. */
export async function runOnce(options: RunOptions): Promise<Outcome> {
  const { model, output, mode } = options;
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  if (!existsSync(model)) return { kind: 'missing', model, exitCode: exitCodes.badInput, milliseconds: elapsed() };
  if (mode === 'write') recover(output);
  const before = lockIn(output);
  const inputs = inputsOf(options);
  const known = isAsked(options.migrations) ? undefined : isKnownCurrent(options, inputs);
  if (known !== undefined)
    return { kind: 'planned', model, output, mode, ...known, waiting: false, exitCode: exitCodes.ok, milliseconds: elapsed() };
  try {
    const generated = await generateFrom(options);
    const { files, migrations } = generated;
    const plan = planTree(output, files, migrations.removed);
    const exitCode = exitCodeOf(plan, options);
    if (exitCode === exitCodes.ok && mode === 'write') writeTree(output, files, plan, before);
    if (exitCode === exitCodes.ok && mode !== 'dry-run' && !migrations.waiting) rememberCurrent(options, inputs, generated);
    return { kind: 'planned', model, output, mode, plan, found: generated, waiting: migrations.waiting, exitCode, milliseconds: elapsed() };
  } catch (error) {
    if (error instanceof UndecidedError)
      return {
        kind: 'undecided',
        model,
        found: error.found,
        problems: error.problems,
        exitCode: exitCodes.badInput,
        milliseconds: elapsed(),
      };
    if (!(error instanceof ModelError)) throw error;
    return { kind: 'faulty', model, found: error, exitCode: exitCodes.badInput, milliseconds: elapsed() };
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
