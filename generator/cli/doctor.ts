import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UsageError } from '../config/config.js';
import { diagnose, type Diagnosis } from '../doctor/diagnose.js';
import { hasDecisions, printSkeleton } from '../doctor/print-skeleton.js';
import { inspectModel } from '../generate.js';
import { ModelError } from '../model-error.js';
import type { Sources } from '../sources.js';
import { exitCodes } from './exit-codes.js';
import { missingFile } from './missing-file.js';
import { chooseModel, openModel, defaultOverlay, type ModelChoice } from './open-model.js';
import { painter } from './painter.js';
import { diagnosisToJson, printDiagnosis } from './print-diagnosis.js';

/** The help text of `gable doctor`. */
export const help = `gable doctor: say what a model leaves out, and what is made of it

Usage: gable doctor [MODEL] [--write] [--json]

  MODEL           the CSDL document, in XML or JSON; model/metadata.xml when left out
  --write         write the skeleton of the overlay, overlay.jsonc beside the model; where there is an overlay,
                  what it leaves open, overlay.new.jsonc beside it
  --overlay FILE  the overlay; overlay.jsonc beside the model when left out
  --config FILE   the configuration; gable.config.ts, .mjs, .js or .json when left out
  --json          one JSON object instead of text

The model is read leniently. The doctor tells what was inferred and by which rule, what was filled
in, what only somebody who knows the data can decide, and what is refused in any mode. The skeleton
turns the first two into decisions and has the third as comments; it never replaces an overlay,
and what it says beside one is for you to copy into it.

Exit codes: 0 the model can be generated from, 1 internal error, 2 it is refused

Examples:
  gable doctor
  gable doctor other/metadata.xml
  gable doctor other/metadata.xml --write
  gable doctor other/metadata.xml --json | jq '.undecided[].navigation'
`;

/** Runs the command and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      write: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      config: { type: 'string' },
      overlay: { type: 'string' },
    },
  });
  if (positionals.length > 1) throw new UsageError(`One model at a time, and '${positionals[1]}' is a second one.`);
  const choice = await chooseModel({ model: positionals[0], config: values.config, overlay: values.overlay, lenient: true, strict: false });
  if (!existsSync(choice.model)) throw new UsageError(`${missingFile(choice.model)} Name the model: gable doctor PATH`);
  const { diagnosis, sources } = examine(choice);
  const written = values.write ? writeSkeleton(choice, diagnosis) : undefined;
  const exitCode = diagnosis.refused.length > 0 ? exitCodes.badInput : exitCodes.ok;
  if (values.json)
    process.stdout.write(
      `${JSON.stringify({ model: choice.model, exitCode, overlay: written ?? choice.overlay ?? null, ...diagnosisToJson(diagnosis, sources) })}\n`,
    );
  else process.stdout.write(printReport(choice, diagnosis, sources, written));
  return exitCode;
}

// A document that cannot be parsed has only faults.
function examine(choice: ModelChoice): { readonly diagnosis: Diagnosis; readonly sources: Sources } {
  const { source, options } = openModel(choice);
  try {
    const inspected = inspectModel(source, options);
    return { diagnosis: diagnose(inspected), sources: inspected.sources };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const refused = error.diagnostics.filter(({ severity }) => severity === 'error');
    return {
      diagnosis: { inferred: [], undecided: [], undefinedTypes: [], nullableKeys: [], others: new Map(), refused },
      sources: error.sources,
    };
  }
}

// An existing overlay is not changed; its open decisions are written to a file next to it.
function writeSkeleton({ model, overlay }: ModelChoice, diagnosis: Diagnosis): string | undefined {
  if (overlay !== undefined && !hasDecisions(diagnosis)) return undefined;
  const place = overlay === undefined ? defaultOverlay(model) : newOverlay(overlay);
  if (existsSync(place)) throw new UsageError(`${place} is there already; copy from it what holds, and delete it to have a new one.`);
  writeFileSync(place, printSkeleton(model, diagnosis, 'lenient'), { flag: 'wx' });
  return place;
}

function newOverlay(overlay: string): string {
  return overlay.replace(/(\.\w+)?$/, '.new$1');
}

function printReport({ model, overlay }: ModelChoice, diagnosis: Diagnosis, sources: Sources, written: string | undefined): string {
  const text = printDiagnosis(diagnosis, sources, painter(process.stdout));
  const next =
    written === undefined
      ? nextStep(model, overlay, diagnosis)
      : `Written: ${written}. ${overlay === undefined ? 'Decide what stands there as comments' : `Copy into ${overlay}, which is yours, what holds, and delete the file`}, then: gable generate ${model} --lenient`;
  if (text !== '') return `${text}\n${next}\n`;
  return `${model} leaves nothing out.\n${written === undefined ? '' : `Written: ${written}, with nothing to decide.\n`}`;
}

function nextStep(model: string, overlay: string | undefined, diagnosis: Diagnosis): string {
  const { refused, undecided } = diagnosis;
  if (refused.length > 0) return 'Nothing can be generated before what is refused is mended.';
  const left =
    undecided.length === 0
      ? ''
      : `\nNavigation properties that the service joins by columns and tables of its own, ${undecided.length}: decide those whose keys the records have.`;
  const write = overlay === undefined ? '' : `, which writes ${newOverlay(overlay)} with what to add to ${overlay}`;
  const decide = hasDecisions(diagnosis) ? `\nTo make decisions of it: gable doctor ${model} --write${write}` : '';
  return `It can be generated from: gable generate ${model} --lenient.${left}${decide}`;
}
