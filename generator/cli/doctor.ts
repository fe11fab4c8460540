import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UsageError } from '../config/config.js';
import { diagnose, isOpen, type Diagnosis } from '../doctor/diagnose.js';
import { hasDecisions, printSkeleton } from '../doctor/print-skeleton.js';
import { inspectModel } from '../generate.js';
import { ModelError } from '../model-error.js';
import type { Sources } from '../sources.js';
import { exitCodes } from './exit-codes.js';
import { formatHelp, formatNamed } from './finding-format.js';
import { findingsOf, printFindings } from './findings.js';
import { chooseModel, defaultOverlay, onlyModel, openModel, type ModelChoice, missingFile } from './open-model.js';
import { painter } from './painter.js';
import { diagnosisToJson, diagnosticsOf, printDiagnosis } from './print-diagnosis.js';

/** The help text of `gable doctor`. */
export const help = `gable doctor: lists the gaps of a model, the repairs, and the open decisions

Usage: gable doctor [MODEL] [--write] [--json | --format FORMAT]

  MODEL           the CSDL document, in XML or JSON (default: model/metadata.xml)
  --write         write the skeleton of the overlay, overlay.jsonc next to the model; if an overlay exists,
                  write its open decisions to overlay.new.jsonc
  --overlay FILE  the overlay (default: overlay.jsonc next to the model)
  --config FILE   the configuration (default: gable.config.ts, .mjs, .js or .json)
  --json          print one JSON object instead of text
${formatHelp}

The model is read in lenient mode. The report has five parts: inferred facts with the rule behind each,
repairs, navigation properties that hidden columns or tables join, those for which a property may hold the key
instead, and faults that end every mode. The skeleton has the first two as decisions and the next two as comments.
It never replaces an overlay; copy what you need from overlay.new.jsonc.

Exit codes: 0 the model can be generated from, 1 internal error, 2 it has faults

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
      format: { type: 'string' },
      config: { type: 'string' },
      overlay: { type: 'string' },
    },
  });
  const format = formatNamed(values.format, values.json);
  const choice = await chooseModel({
    model: onlyModel(positionals),
    config: values.config,
    overlay: values.overlay,
    lenient: true,
    strict: false,
  });
  if (!existsSync(choice.model)) throw new UsageError(`${missingFile(choice.model)} Name the model: gable doctor PATH`);
  const { diagnosis, sources } = examine(choice);
  const written = values.write ? writeSkeleton(choice, diagnosis) : undefined;
  const exitCode = diagnosis.refused.length > 0 ? exitCodes.badInput : exitCodes.ok;
  if (format !== undefined) process.stdout.write(printFindings(findingsOf({ sources, diagnostics: diagnosticsOf(diagnosis) }), format));
  else if (values.json)
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
  if (existsSync(place)) throw new UsageError(`${place} already exists; copy what you need from it, and delete it to get a new one.`);
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
      : `Written: ${written}. ${overlay === undefined ? 'Decide the lines that are comments' : `Copy what applies into ${overlay}, and delete the file`}, then run: gable generate ${model} --lenient`;
  if (text !== '') return `${text}\n${next}\n`;
  return `${model} has no gaps.\n${written === undefined ? '' : `Written: ${written}, without open decisions.\n`}`;
}

function nextStep(model: string, overlay: string | undefined, diagnosis: Diagnosis): string {
  const { refused } = diagnosis;
  const open = diagnosis.undecided.filter(isOpen).length;
  if (refused.length > 0) return 'Correct these faults before generating.';
  const left =
    open === 0
      ? ''
      : `\nNavigation properties for which a property may hold the key, ${open}: decide them, or leave them to hidden columns.`;
  const write = overlay === undefined ? '' : `, which writes ${newOverlay(overlay)} with additions to ${overlay}`;
  const decide = hasDecisions(diagnosis) ? `\nTo write these as decisions: gable doctor ${model} --write${write}` : '';
  return `The model can be generated from: gable generate ${model} --lenient.${left}${decide}`;
}
