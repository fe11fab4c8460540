import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { generate } from '../generate.js';
import { ModelError } from '../model-error.js';
import type { OutputFile } from '../output/header.js';
import { planTree, writeTree, type TreePlan } from '../output/output-tree.js';
import { printFaults, printRefused, printSummary, toJson, type Outcome } from './print-outcome.js';

/** Exit codes: 0 done, 1 our own fault, 2 a fault of the model or an edited file, 4 stale under --check. */
export const exitCodes = { ok: 0, internal: 1, badInput: 2, stale: 4 } as const;

/** What `gable generate --help` prints. */
export const help = `gable generate: write the server's code from its model

Usage: gable generate [MODEL] [--output DIR] [--check] [--json]

  MODEL          the CSDL document; model/metadata.xml when left out
  --output DIR   where to write; generated when left out
  --check        write nothing; exit 4 when the output is not what the model says
  --json         one JSON object instead of text

Nothing is written unless everything could be. A generated file that was edited by hand is
refused: move the edit to the model, delete the file, and run again.

Exit codes: 0 done, 1 internal error, 2 fault in the model or edited file, 4 stale (--check)

Examples:
  gable generate
  gable generate --check
  gable generate other/metadata.xml --output /tmp/other --json
`;

/** Runs the verb and gives the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  if ('problem' in options) {
    process.stderr.write(`gable generate: ${options.problem}\nRun 'gable generate --help' for the options.\n`);
    return exitCodes.badInput;
  }
  const outcome = runOnce(options);
  report(outcome, options);
  return outcome.exitCode;
}

interface Options {
  readonly model: string;
  readonly output: string;
  readonly check: boolean;
  readonly json: boolean;
}

function parseOptions(args: readonly string[]): Options | { readonly problem: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        output: { type: 'string', default: 'generated' },
        check: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    if (positionals.length > 1) return { problem: `one model at a time, and '${positionals[1]}' is a second one.` };
    return { model: positionals[0] ?? join('model', 'metadata.xml'), output: values.output, check: values.check, json: values.json };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function runOnce({ model, output, check }: Options): Outcome {
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  if (!existsSync(model)) return { kind: 'missing', model, exitCode: exitCodes.badInput, milliseconds: elapsed() };
  try {
    const files = generateFrom(model, output);
    const plan = planTree(output, files);
    const exitCode = exitCodeOf(plan, check);
    if (exitCode === exitCodes.ok && !check) writeTree(output, files, plan);
    return { kind: 'planned', model, output, plan, check, exitCode, milliseconds: elapsed() };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { kind: 'faulty', model, error, exitCode: exitCodes.badInput, milliseconds: elapsed() };
  }
}

function generateFrom(model: string, output: string): readonly OutputFile[] {
  const folder = dirname(resolve(model));
  const source = { path: sourceName(model, output), bytes: readFileSync(model) };
  return generate(source, (uri) => (existsSync(join(folder, uri)) ? readFileSync(join(folder, uri)) : undefined));
}

// Named from beside the output, so that a run from another folder gives the same bytes.
function sourceName(model: string, output: string): string {
  const path = relative(dirname(resolve(output)), resolve(model));
  return path.startsWith('..') ? basename(model) : path.split(sep).join('/');
}

function exitCodeOf({ added, changed, removed, refused }: TreePlan, check: boolean): number {
  if (refused.length > 0) return exitCodes.badInput;
  const isStale = added.length + changed.length + removed.length > 0;
  return check && isStale ? exitCodes.stale : exitCodes.ok;
}

function report(outcome: Outcome, { json }: Options): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(toJson(outcome))}\n`);
    return;
  }
  switch (outcome.kind) {
    case 'missing':
      process.stderr.write(`gable generate: there is no file ${outcome.model}. Name the model: gable generate PATH\n`);
      return;
    case 'faulty':
      process.stderr.write(printFaults(outcome.model, outcome.error, process.stderr));
      return;
    case 'planned':
      if (outcome.plan.refused.length > 0) process.stderr.write(printRefused(outcome));
      else process.stdout.write(printSummary(outcome));
  }
}
