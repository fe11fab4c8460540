import type { WriteStream } from 'node:tty';
import { placeOf, printFault, printFrame, type ModelError } from '../model-error.js';
import type { Refusal, TreePlan } from '../output/output-tree.js';

/** How a run ended. */
export type Outcome = { readonly model: string; readonly exitCode: number; readonly milliseconds: number } & (
  | { readonly kind: 'missing' }
  | { readonly kind: 'faulty'; readonly error: ModelError }
  | { readonly kind: 'planned'; readonly output: string; readonly plan: TreePlan; readonly mode: 'write' | 'check' | 'dry-run' }
);

type Planned = Extract<Outcome, { kind: 'planned' }>;

/** Tells the outcome, as one object or as text: faults to the error output, all else to the output. */
export function report(outcome: Outcome, { json }: { readonly json: boolean }): void {
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

/** The outcome as one object of a stable shape; every member is always there. */
export function toJson(outcome: Outcome): object {
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
    faults: outcome.kind === 'faulty' ? faultsOf(outcome.model, outcome.error) : missingFault(outcome),
  };
}

function faultsOf(model: string, { text, faults, path }: ModelError): readonly object[] {
  return faults.map(({ code, at, message, hint }) => ({ file: fileOf(model, path), ...placeOf(text, at), code, message, hint }));
}

function missingFault({ kind, model }: Outcome): readonly object[] {
  return kind === 'missing' ? [{ file: model, line: 1, column: 1, code: 'CSDL000', message: 'There is no such file.', hint: 'Name the model.' }] : [];
}

// A fault may be in a vocabulary beside the model; the model itself is named as the user named it.
function fileOf(model: string, path: string): string {
  return model.replaceAll('\\', '/').endsWith(path.replace(/^.*\//, '')) ? model : path;
}

/** Every fault with its frame, and the count. */
export function printFaults(model: string, error: ModelError, stream: Pick<WriteStream, 'isTTY'>): string {
  const paint = painter(stream);
  const blocks = error.faults.map((fault) => {
    const line = printFault(fileOf(model, error.path), error.text, fault).replace(' error ', ` ${paint('error', 31)} `);
    return error.text === '' ? `${line}\n` : `${line}\n${printFrame(error.text, fault.at)}\n`;
  });
  const { length } = error.faults;
  return `${blocks.join('\n')}\n${length === 1 ? 'One fault' : `${length} faults`}; nothing was written.\n`;
}

/** The files in the way, what was done to them, and the way out. */
export function printRefused({ output, plan }: Planned): string {
  const blocks = plan.refused.map((refusal) => `${output}/${refusal.path}: ${reasons[refusal.why]}\n${printEdit(refusal)}`);
  return `${blocks.join('')}Nothing was written.\n`;
}

function printEdit({ patch, exact, why }: Refusal): string {
  if (patch === '') return '';
  const note = exact || why === 'foreign' ? 'The edit:' : 'The edit, together with what changed in the model since:';
  return `${note}\n\n${patch}\n`;
}

const reasons = {
  edited: 'edited by hand. Move the edit to the model (or the generator), delete the file, and run again.',
  foreign: 'not written by gable. Move it away, or choose another folder with --output.',
} as const;

/** What changed, how long it took, and what to do next. */
export function printSummary({ output, plan, mode, exitCode, milliseconds }: Planned): string {
  const paint = painter(process.stdout);
  const lines = [
    ...plan.added.map((path) => `${paint('+', 32)} ${output}/${path}`),
    ...plan.changed.map((path) => `${paint('~', 33)} ${output}/${path}`),
    ...plan.removed.map((path) => `${paint('-', 31)} ${output}/${path}`),
  ];
  const counts = `${plan.added.length} added, ${plan.changed.length} changed, ${plan.removed.length} removed, ${plan.unchanged.length} unchanged`;
  const next = nextStep(mode, exitCode, lines.length);
  return [...lines, `${counts} in ${(milliseconds / 1000).toFixed(2)} s`, ...(next === '' ? [] : [next]), ''].join('\n');
}

function nextStep(mode: Planned['mode'], exitCode: number, changes: number): string {
  if (exitCode !== 0) return 'Stale. Run: npm run generate';
  if (changes === 0 || mode === 'check') return 'Up to date.';
  if (mode === 'dry-run') return 'Nothing was written. Without --dry-run it will be.';
  return 'Next: npm test, then commit the model and the output together.';
}

function painter({ isTTY }: Pick<WriteStream, 'isTTY'>): (text: string, color: number) => string {
  const isPlain = !isTTY || (process.env['NO_COLOR'] ?? '') !== '';
  return (text, color) => (isPlain ? text : `\u001b[${color}m${text}\u001b[0m`);
}
