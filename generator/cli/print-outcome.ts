import { posix } from 'node:path';
import { migrationCodes, withCode } from '../../runtime/errors/migration-codes.js';
import type { Problem } from '../migrate/step.js';
import type { Diagnostic } from '../model-error.js';
import type { Refusal, TreePlan, UnusedHandler } from '../output/output-tree.js';
import type { Sources } from '../sources.js';
import { painter } from './painter.js';
import { printDiagnostics } from './print-diagnostics.js';

/** The outcome of a run. */
export type Outcome = { readonly model: string; readonly milliseconds: number } & Result;

/** The result of a run, whatever its model and its duration. */
export type Result = { readonly exitCode: number } & (
  | { readonly kind: 'missing' }
  | { readonly kind: 'faulty'; readonly found: Found }
  | { readonly kind: 'undecided'; readonly found: Found | undefined; readonly problems: readonly Problem[] }
  | {
      readonly kind: 'planned';
      readonly found: Found;
      readonly output: string;
      readonly plan: TreePlan;
      readonly waiting: boolean;
      readonly mode: 'write' | 'check' | 'dry-run';
    }
);

/** The diagnostics of a run with their texts. */
export interface Found {
  readonly sources: Sources;
  readonly diagnostics: readonly Diagnostic[];
}

type Planned = Extract<Outcome, { kind: 'planned' }>;

/** The form of a report: JSON or text, the command that updates stale files, and whether warnings have been printed. */
export interface ReportOptions {
  readonly json: boolean;
  readonly again: string;
  readonly isFoundReported?: boolean;
  /** Prints the outcome for another tool. */
  readonly print?: (outcome: Outcome) => string;
}

/** Prints the outcome as JSON or text: faults to stderr, all else to stdout. */
export function report(outcome: Outcome, { json, again, isFoundReported = false, print }: ReportOptions): void {
  if (print !== undefined) return void process.stdout.write(print(outcome));
  if (json) {
    process.stdout.write(`${JSON.stringify(toJson(outcome))}\n`);
    return;
  }
  switch (outcome.kind) {
    case 'missing':
      process.stderr.write(`gable generate: there is no file ${outcome.model}. Name the model: gable generate PATH\n`);
      return;
    case 'faulty':
      process.stderr.write(printDiagnostics(outcome.found, process.stderr));
      return;
    case 'undecided':
      if (!isFoundReported) reportFound(outcome);
      process.stderr.write(printProblems(outcome.problems));
      return;
    case 'planned':
      if (!isFoundReported) reportFound(outcome);
      if (outcome.plan.refused.length > 0) process.stderr.write(printRefused(outcome));
      else process.stdout.write(printSummary(outcome, again));
  }
}

/** Prints the diagnostics of the model to stderr. */
export function reportFound({ found }: { readonly found?: Found | undefined }): void {
  if (found !== undefined) process.stderr.write(printDiagnostics(found, process.stderr));
}

/** The outcome as JSON; every member is always present. */
function toJson(outcome: Outcome): object {
  const plan = outcome.kind === 'planned' ? outcome.plan : undefined;
  return {
    model: outcome.model,
    exitCode: outcome.exitCode,
    milliseconds: outcome.milliseconds,
    added: plan?.added ?? [],
    changed: plan?.changed ?? [],
    removed: plan?.removed ?? [],
    unchanged: plan?.unchanged.length ?? 0,
    refused: plan?.refused ?? [],
    unused: plan?.unused ?? [],
    problems:
      outcome.kind === 'undecided' ? outcome.problems.map((problem) => ({ code: migrationCodes[problem.kind].code, ...problem })) : [],
    faults: faultsOf(outcome),
  };
}

function faultsOf(outcome: Outcome): readonly object[] {
  if (outcome.kind === 'missing') return missingFault(outcome);
  return outcome.found === undefined ? [] : diagnosticsToJson(outcome.found);
}

function printProblems(problems: readonly Problem[]): string {
  const { length } = problems;
  return `${problems.map(({ kind, message }) => withCode(kind, message)).join('\n')}\n${length === 1 ? 'One decision is' : `${length} decisions are`} missing for the migration; nothing was written.\ngable explain CODE explains a question.\n`;
}

/** Diagnostics with their positions, as JSON. */
export function diagnosticsToJson({ sources, diagnostics }: Found): readonly object[] {
  return diagnostics.map(({ code, severity, at, message, hint }) => {
    const { path, line, column } = sources.locate(at);
    return { file: path, line, column, severity, code, message, hint };
  });
}

function missingFault({ model }: Outcome): readonly object[] {
  return [
    { file: model, line: 1, column: 1, severity: 'error', code: 'CSDL000', message: 'There is no such file.', hint: 'Name the model.' },
  ];
}

/** The files that stop the run, their edits, and the way out. */
function printRefused({ output, plan }: Planned): string {
  const blocks = plan.refused.map((refusal) => `${output}/${refusal.path}: ${refusals[refusal.why]}\n${printEdit(refusal)}`);
  return `${blocks.join('')}Nothing was written.\n`;
}

function printEdit({ patch, exact, why }: Refusal): string {
  if (patch === '') return '';
  const note = exact || why === 'foreign' ? 'The edit:' : 'The edit, together with the changes of the model since then:';
  return `${note}\n\n${patch}\n`;
}

/** The reasons why files stop a run, with the way out. */
export const refusals = {
  edited: 'edited by hand. Move the edit to the model (or the generator), delete the file, and run again.',
  foreign: 'not written by gable. Move it away, or choose another folder with --output.',
} as const;

/** The changes, the duration, and the next step. */
function printSummary(outcome: Planned, again: string): string {
  const { output, plan, milliseconds } = outcome;
  const paint = painter(process.stdout);
  const lines = [
    ...plan.added.map((path) => `${paint('+', 32)} ${placeOf(output, path)}`),
    ...plan.changed.map((path) => `${paint('~', 33)} ${placeOf(output, path)}`),
    ...plan.removed.map((path) => `${paint('-', 31)} ${placeOf(output, path)}`),
  ];
  const counts = `${plan.added.length} added, ${plan.changed.length} changed, ${plan.removed.length} removed, ${plan.unchanged.length} unchanged`;
  const next = nextStep(outcome, again);
  const unused = plan.unused.map((handler) => `${paint('?', 33)} ${placeOf(output, handler.path)}: ${unusedText(handler)}`);
  return [...lines, ...unused, `${counts} in ${(milliseconds / 1000).toFixed(2)} s`, next, ''].join('\n');
}

/** The end of a sentence about a handler that is no longer used. */
export function unusedText({ operation }: UnusedHandler): string {
  return `not used any more, because the model has no ${operation}. Move its code to another handler, or delete it.`;
}

/** The path of a file of the output, or beside it, as handlers are. */
export function placeOf(output: string, path: string): string {
  return path.startsWith('../') ? posix.normalize(`${output}/${path}`) : `${output}/${path}`;
}

function nextStep({ mode, exitCode, waiting, plan: { added, changed, removed } }: Planned, again: string): string {
  if (waiting) return 'The schema changes: run gable generate to write its migration.';
  if (exitCode !== 0) return `Stale. Run: ${again}`;
  if (added.length + changed.length + removed.length === 0 || mode === 'check') return 'Up to date.';
  if (mode === 'dry-run') return 'Nothing was written, because of --dry-run.';
  const migration = added.find((path) => /^migrations\/(?!0001)\d{4}-/.test(path));
  if (migration !== undefined) return `Next: read ${migration}, try it with gable migrate, and commit the model and the output together.`;
  return 'Next: npm test, then commit the model and the output together.';
}
