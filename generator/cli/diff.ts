import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import type { Config } from '../config/types.js';
import { diffModels, gravestOf, type Change } from '../diff/diff.js';
import { migratedNames, type MigratedNames } from '../diff/migrated-names.js';
import { changelogLines, nextVersion, stepOf, withEntry } from '../diff/report.js';
import { audiences } from '../diff/rules.js';
import { readMigrations } from '../migrate/read-migrations.js';
import type { ModelError } from '../model-error.js';
import { defaultModel, readComparedModel, type ComparedModel } from './compared-model.js';
import { exitCodes } from './exit-codes.js';
import { formatHelp, formatNamed } from './finding-format.js';
import { type Finding, findingsOf, printFindings } from './findings.js';
import { withFaults } from './print-diagnostics.js';
import { printReport, reportJson, type Report } from './print-report.js';

/** The help text of `gable diff`. */
export const help = `gable diff: lists the changes between two models and what they break

Usage: gable diff OLD [NEW] [--exit-code] [--json | --format FORMAT] [--changelog FILE]

  OLD, NEW          a CSDL document, git:REVISION or git:REVISION:PATH;
                    PATH and NEW default to the project's model
  --exit-code       exit with 2 if there are changes, with 3 if one is breaking
  --json            print one JSON object instead of text
${formatHelp.replace('FORMAT ', 'FORMAT  ')}
  --changelog FILE  write the entry under "Unreleased" of this file instead of printing it
  --config FILE     the configuration (default: gable.config.ts, .mjs, .js or .json)

Each model is read with its overlay, overlay.jsonc next to it or the one in the configuration, in the same
revision. Permissions, indexes and former names in the overlay are compared too.

Every change has three verdicts: for clients of the API, for programs compiled against the types,
and for the database with its rows. Each is breaking, additive or patch.

Exit codes: 0 compared, 1 internal error, 2 bad input, or changes (--exit-code), 3 breaking (--exit-code)

Examples:
  gable diff git:main
  gable diff git:v1.2.0 model/metadata.xml --exit-code
  gable diff old.xml new.xml --json
  gable diff git:v1.2.0 --changelog CHANGELOG.md
`;

/** Compares two models and reports the changes. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: declared });
  const [oldName, named] = positionals;
  if (oldName === undefined || positionals.length > 2) throw new UsageError('Name one or two models.');
  const format = formatNamed(values.format, values.json);
  const printFaults =
    format === undefined ? undefined : (error: ModelError) => void process.stdout.write(printFindings(findingsOf(error), format));
  return withFaults(async () => {
    if (values.changelog !== undefined) checkChangelog(values.changelog);
    const config = await loadConfig(process.cwd(), values.config);
    const newName = named ?? config.model ?? defaultModel;
    const [old, now] = [readComparedModel(oldName, config), readComparedModel(newName, config)];
    const changes = diffModels(old.csdl, now.csdl, newName === (config.model ?? defaultModel) ? namesIn(config) : undefined);
    const report: Report = {
      old: oldName,
      new: newName,
      changes,
      placeOf: (change) => placeIn(change, old, now),
      step: stepOf(changes),
      version: nextVersion(packageVersion(), stepOf(changes)),
      current: packageVersion(),
    };
    if (values.changelog !== undefined) writeChangelog(values.changelog, changes);
    const findings = changes.map((change) => findingOf(change, report, now));
    if (format !== undefined) process.stdout.write(printFindings(findings, format));
    else process.stdout.write(values.json ? `${JSON.stringify(reportJson(report))}\n` : printReport(report, values.changelog));
    return values['exit-code'] ? exitCodeOf(changes) : exitCodes.ok;
  }, printFaults);
}

const declared = {
  'exit-code': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  format: { type: 'string' },
  changelog: { type: 'string' },
  config: { type: 'string' },
} as const;

// The renames of the project's migrations, which belong to its own model.
function namesIn({ output = 'generated' }: Config): MigratedNames {
  const texts = [...readMigrations(output)].sort(([a], [b]) => (a < b ? -1 : 1));
  return migratedNames(texts.map(([, text]) => text));
}

function placeIn({ side, at }: Change, old: ComparedModel, now: ComparedModel): string {
  const { path, line } = (side === 'old' ? old : now).sources.locate(at);
  return `${path}:${line}`;
}

// An element that is gone has no place in the new model; its place in the old one may be of another revision.
function findingOf(change: Change, { placeOf, new: name }: Report, { sources }: ComparedModel): Finding {
  const verdict = gravestOf(change);
  const found = { code: change.rule, level: verdict === 'breaking' ? ('error' as const) : ('note' as const) };
  const message = `${change.called}: ${change.message} (${audiences.map((audience) => `${audience} ${change[audience]}`).join(', ')})`;
  if (change.side === 'old') return { ...found, message: `${message}, in the old model ${placeOf(change)}`, file: name };
  const { path, line, column } = sources.locate(change.at);
  return { ...found, message, file: path, line, column };
}

// The version of the model's project.
function packageVersion(): string {
  if (!existsSync('package.json')) return '0.0.0';
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version?: string };
  return version ?? '0.0.0';
}

// Checked before the comparison, and reported by the given name.
function checkChangelog(file: string): void {
  if (!existsSync(file) && !existsSync(dirname(file)))
    throw new UsageError(`The folder ${dirname(file)} of the changelog ${file} does not exist; create it first.`);
  if (existsSync(file) && !statSync(file).isFile()) throw new UsageError(`The changelog ${file} is not a file.`);
}

function writeChangelog(file: string, changes: readonly Change[]): void {
  const lines = changelogLines(changes);
  if (lines.length === 0) return;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '# Changelog\n';
  writeFileSync(file, withEntry(text, lines));
}

function exitCodeOf(changes: readonly Change[]): number {
  if (stepOf(changes) === 'major' || changes.some(({ database }) => database === 'breaking')) return exitCodes.breaking;
  return changes.length > 0 ? exitCodes.changes : exitCodes.ok;
}
