import { existsSync, readFileSync } from 'node:fs';
import { resolve, basename, dirname, join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { barsOf } from '../../runtime/tools/cli/progress.js';
import type { Mode } from '../config/types.js';
import { UsageError } from '../config/config.js';
import type { Diagnosis } from '../doctor/diagnose.js';
import type { ModelError } from '../model-error.js';
import { makeProject } from '../project/make-project.js';
import { generatorVersion, packageRoot } from '../version.js';
import { exitCodes } from './exit-codes.js';
import { chooseModel, missingFile } from './open-model.js';
import { diagnosisToJson } from './print-diagnosis.js';
import { printDiagnostics, withFaults } from './print-diagnostics.js';
import { diagnosticsToJson } from './print-outcome.js';

/** The help text of `gable init`. */
export const help = `gable init: creates a project from a model

Usage: gable init DIR --model MODEL [--lenient] [--overlay FILE] [--package SPEC] [--json]

  DIR             the new folder; it must be empty or missing
  --model MODEL   the CSDL document, in XML or JSON; it is copied with the referenced documents next to it
  --lenient       accept gaps and mistakes of the document with a warning each
  --overlay FILE  supplements to the document (default: overlay.jsonc next to the model)
  --package SPEC  the version of gable in package.json, or file: and a tarball (default: this version,
                  its tarball, or the folder of this package)
  --json          print one JSON object instead of text: the folder, and the findings of gable doctor

The project has the model, an overlay for its gaps, gable.config.ts, extensions for hand-written behaviour,
the generated service, a test and a README. Start it there with: npm install && npm start.

Exit codes: 0 created, 1 internal error, 2 fault in the model, or DIR is not empty

Examples:
  gable init towns --model towns.xml
  gable init towns --model towns.xml --lenient --package file:../gable-${generatorVersion}.tgz
`;

/** Runs the command and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [folder, second] = positionals;
  if (folder === undefined || values.model === undefined)
    throw new UsageError("Name a folder and a model: gable init DIR --model MODEL. 'gable init --help' has examples.");
  if (second !== undefined) throw new UsageError(`Name one project only; unexpected argument '${second}'.`);
  if (values.package?.trim() === '') throw new UsageError('--package is empty; write a version, or file: and a tarball.');
  if (!existsSync(values.model)) throw new UsageError(missingFile(values.model));
  const { model, overlay, policy } = await chooseModel({
    model: values.model,
    overlay: values.overlay,
    lenient: values.lenient,
    strict: false,
  });
  const printFaults = values.json
    ? (error: ModelError) => printJson({ folder: null, exitCode: exitCodes.badInput, refused: diagnosticsToJson(error) })
    : undefined;
  return withFaults(() => {
    const made = makeProject({
      folder,
      model,
      overlay,
      policy,
      dependency: values.package ?? usualDependency(folder),
      onProgress: barsOf(process.stderr).show,
    });
    if (values.json)
      return printJson({ folder: resolve(folder), exitCode: exitCodes.ok, ...diagnosisToJson(made.diagnosis, made.sources) });
    process.stderr.write(printDiagnostics(made, process.stderr));
    process.stdout.write(
      `Created ${resolve(folder)}.\n${toDecide(made.diagnosis, policy.mode)}Next:\n\n  cd ${quoted(folder)}\n  npm install && npm start\n`,
    );
    return exitCodes.ok;
  }, printFaults);
}

// Quotes a word that a shell would split.
function quoted(path: string): string {
  return /^[\p{L}\p{N}_@%+=:,./\\-]+$/u.test(path) ? path : `"${path}"`;
}

function printJson(result: { readonly [name: string]: unknown; readonly exitCode: number }): number {
  process.stdout.write(`${JSON.stringify(result)}\n`);
  return result.exitCode;
}

// Inferred joins are written down as decisions, followed by the questions that only the user can answer.
function toDecide({ inferred, undecided }: Diagnosis, mode: Mode): string {
  const decided =
    inferred.length === 0
      ? ''
      : mode === 'strict'
        ? `Navigation properties whose names suggest keys, ${inferred.length}: see the comments in model/overlay.jsonc; uncomment those that are correct, and run gable generate.\n`
        : `Navigation properties joined as their names suggest, ${inferred.length}: check them in model/overlay.jsonc.\n`;
  const open =
    undecided.length === 0
      ? ''
      : `Navigation properties joined by hidden columns and tables, ${undecided.length}: if properties hold the keys, add them to model/overlay.jsonc, and run gable generate.\n`;
  return decided + open;
}

const options = {
  model: { type: 'string' },
  overlay: { type: 'string' },
  package: { type: 'string' },
  lenient: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** The dependency of a new project on this package: where it was installed from, or the path of a checkout. */
function usualDependency(folder: string): string {
  const modules = dirname(packageRoot);
  if (!packageRoot.split(sep).includes('node_modules')) return fileFrom(folder, packageRoot);
  const tarball = installedFrom(modules);
  return tarball === undefined ? generatorVersion : fileFrom(folder, tarball);
}

function fileFrom(folder: string, target: string): string {
  return `file:${relative(resolve(folder), target).split(sep).join('/')}`;
}

// npm records installed packages in node_modules, a tarball by its relative path.
function installedFrom(modules: string): string | undefined {
  const lock = join(modules, '.package-lock.json');
  if (!existsSync(lock)) return undefined;
  const { packages = {} } = JSON.parse(readFileSync(lock, 'utf8')) as {
    readonly packages?: { readonly [path: string]: { readonly resolved?: string } };
  };
  const { resolved = '' } = packages[`node_modules/${basename(packageRoot)}`] ?? {};
  const path = resolve(dirname(modules), resolved.replace(/^file:/, ''));
  return resolved.startsWith('file:') && existsSync(path) ? path : undefined;
}
