import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { barsOf } from '../../runtime/tools/cli/progress.js';
import { UsageError } from '../config/config.js';
import { formatHelp, formatNamed, type FindingFormat } from './finding-format.js';
import { chooseModel, modelOptions, modelOptionsHelp, onlyModel, type ModelArguments } from './open-model.js';
import { type Outcome, report, reportFound, type ReportOptions } from './print-outcome.js';
import { runOnce, type RunOptions } from './run-once.js';
import { askAtTerminal, isAtTerminal } from './ask.js';
import { chooseMigrations, migrationOptions, migrationOptionsHelp, type MigrationChoice } from './migration-options.js';
import { watch } from './watch.js';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The help text of `gable generate`. */
export const help = `gable generate: generates the server's code from the model

Usage: gable generate [MODEL] [--output DIR] [--lenient] [--check | --dry-run | --watch] [--json | --format FORMAT]

  MODEL           the CSDL document, in XML or JSON (default: model/metadata.xml)
  --output DIR    the output folder (default: generated)
  --check         write nothing; exit with 4 if the output is not current
  --dry-run       write nothing; list what would be written
  --watch         run again when the model, a file next to it or the configuration changes
${modelOptionsHelp}
  --json          print one JSON object instead of text
${formatHelp}

A change of the schema becomes a new file in migrations/:

${migrationOptionsHelp}

There are three classes of files. Generated files are rewritten by every run. If one was edited by hand, the
run stops and prints the edit as a patch: move it to the model, delete the file, run again.
Files that are created once belong to you afterwards. All other files are yours and never changed.
A run replaces all files or none; the next run completes one that was killed.

Exit codes: 0 done, 1 internal error, 2 fault in the model or edited file, 4 not current (--check)

Examples:
  gable generate
  gable generate --check
  gable generate --watch
  gable generate --name towns --renamed Order/City=Town
  gable generate other/metadata.xml --lenient --output /tmp/other --json
`;

/** Runs the command and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  optimizeLater();
  const options = parseOptions(args);
  const { json, mode, watch: isWatched, migrations } = options;
  const again = generateCommand(args, process.cwd(), process.env);
  const printer = await printerOf(options.format, again);
  const choose = async (): Promise<RunOptions & ReportOptions> => ({
    ...(await chooseModel(options)),
    ...{ mode, json, again, ...printer },
    // Watching writes no migrations: each save would make one.
    migrations: isWatched ? { ...migrations, later: true } : migrations,
  });
  if (isWatched) return watch(choose, options.config);
  const outcome = await runAsking({ ...(await choose()), onProgress: barsOf(process.stderr).show });
  return outcome.exitCode;
}

// Most runs end before optimized code repays what its compiler takes, so V8 is to wait 60 times as long. From Node 22 on V8
// has no such flag, and a quick compiler for what runs for a moment.
function optimizeLater(): void {
  if (process.version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=4000000');
}

/** Runs the generator and prints the outcome. At a terminal it asks for the decisions that a migration lacks, and runs again. */
export async function runAsking(options: RunOptions & ReportOptions): Promise<Outcome> {
  const { mode, migrations } = options;
  const first = await runOnce(options);
  const isAsked = first.kind === 'undecided' && mode === 'write' && isAtTerminal(first.problems);
  if (isAsked) reportFound(first);
  const answered = isAsked ? await askAtTerminal(first.problems, migrations) : undefined;
  const outcome = answered === undefined ? first : await runOnce({ ...options, migrations: answered });
  report(outcome, { ...options, isFoundReported: isAsked });
  return outcome;
}

// Loaded only where it is asked for: a run without changes takes milliseconds.
async function printerOf(format: FindingFormat | undefined, again: string): Promise<Pick<ReportOptions, 'print'>> {
  if (format === undefined) return {};
  const [{ printFindings }, { findingsOfOutcome }] = await Promise.all([import('./findings.js'), import('./outcome-findings.js')]);
  return { print: (outcome) => printFindings(findingsOfOutcome(outcome, again), format) };
}

interface Options extends ModelArguments {
  readonly mode: RunOptions['mode'];
  readonly json: boolean;
  readonly format: FindingFormat | undefined;
  readonly watch: boolean;
  readonly migrations: MigrationChoice;
}

function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: declared });
  const modes = (['check', 'dry-run', 'watch'] as const).filter((name) => values[name]);
  if (modes.length > 1) throw new UsageError(`--${modes[0]} and --${modes[1]} exclude each other.`);
  const { output, check, json, watch: again, config, overlay, lenient, strict } = values;
  return {
    model: onlyModel(positionals),
    output,
    config,
    overlay,
    lenient,
    strict,
    mode: check ? 'check' : values['dry-run'] ? 'dry-run' : 'write',
    json,
    format: formatNamed(values.format, json),
    watch: again,
    migrations: chooseMigrations(values),
  };
}

const declared = {
  ...modelOptions,
  ...migrationOptions,
  output: { type: 'string' },
  check: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  format: { type: 'string' },
} as const;

/** The command, for the current folder, that updates the files that a check with these arguments found stale. */
function generateCommand(args: readonly string[], folder: string, environment: NodeJS.ProcessEnv): string {
  const { npm_command: npm, npm_lifecycle_event: script } = environment;
  const kept = args
    .filter((arg, index) => !/^--(?:check|json|format(?:=.*)?)$/.test(arg) && args[index - 1] !== '--format')
    .map((arg) => (/^[\w./:=@-]+$/.test(arg) ? arg : JSON.stringify(arg)));
  if (kept.length === 0 && hasScript(folder)) return 'npm run generate';
  const gable = script === 'gable' ? 'npm run gable --' : npm === 'exec' ? 'npx gable' : 'gable';
  return [gable, 'generate', ...kept].join(' ');
}

function hasScript(folder: string): boolean {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return false;
  const { scripts } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly scripts?: { readonly generate?: unknown } };
  return typeof scripts?.generate === 'string';
}
