import { basename } from 'node:path/posix';
import { isDeepStrictEqual } from 'node:util';
import { withCode } from '../../runtime/errors/migration-codes.js';
import type { Schema } from '../../runtime/schema/schema.js';
import type { Diagnostic } from '../model-error.js';
import type { OutputFile } from '../output/header.js';
import type { Sources } from '../sources.js';
import { diffSchemas, withoutHints } from './diff-schema.js';
import { folderFault, parseSnapshot, printSnapshot, snapshotPath, type Snapshot } from './snapshot.js';
import { noDecisions, type Decisions, type Problem, type Step, type Manner } from './step.js';
import { quote } from '../../runtime/schema/identifier.js';
import { printSchema } from '../../runtime/schema/print-schema.js';

/** The files of the migrations folder: texts by path. */
export type MigrationTexts = ReadonlyMap<string, string>;

/** The options of a run for migrations. */
export interface MigrationOptions {
  readonly texts: MigrationTexts;
  readonly decisions: Decisions;
  /** The name of the next migration, after its number. */
  readonly name?: string | undefined;
  /** Leaves a schema change to a later run. */
  readonly later?: boolean;
  /** Merges all unreleased migrations into one. */
  readonly squash?: boolean;
  /** Marks the existing migrations as released, which protects them from a squash. */
  readonly release?: boolean;
}

/** The migration files: all, new ones, and removed ones. */
export interface MigrationPlan {
  readonly files: readonly OutputFile[];
  readonly removed: readonly string[];
  /** A schema change waits for a run that writes it. */
  readonly waiting: boolean;
}

/** The error for an undecided schema change; nothing is written. The model's findings may explain the change. */
export class UndecidedError extends Error {
  override readonly name = 'UndecidedError';

  constructor(
    readonly problems: readonly Problem[],
    readonly found?: { readonly sources: Sources; readonly diagnostics: readonly Diagnostic[] },
  ) {
    super(problems.map(({ kind, message }) => withCode(kind, message)).join('\n'));
  }
}

/** An empty folder. */
export const noMigrations: MigrationOptions = { texts: new Map(), decisions: noDecisions };

/** The migrations up to a schema: the existing ones, and a new one where they differ from it. */
export function planMigrations(wanted: Schema, origin: string, options: MigrationOptions): MigrationPlan {
  const schema = withoutHints(wanted);
  const present = snapshotOf(schema, origin, options.texts);
  const base = options.squash ? squashed(present) : present;
  const kept = [...options.texts.keys()].filter(
    (path) => path !== snapshotPath && (base.migrations.includes(basename(path)) || !present.migrations.includes(basename(path))),
  );
  const next = options.later && base.migrations.length > 0 ? undefined : nextMigration(base, wanted, origin, kept, options);
  const migrations = next === undefined ? base.migrations : [...base.migrations, basename(next.path)];
  const waiting = next === undefined && isDifferent(base.schema, wanted, options.decisions);
  const reached = waiting ? base.schema : schema;
  const released = options.release ? { migrations, schema: reached } : base.released;
  const old = kept.map((path): OutputFile => ({ path, text: options.texts.get(path) ?? '', once: true }));
  const snapshot: OutputFile = { path: snapshotPath, text: printSnapshot({ migrations, schema: reached, released }) };
  const removed = [...options.texts.keys()].filter((path) => path !== snapshotPath && !kept.includes(path));
  return { files: [...old, ...(next === undefined ? [] : [next]), snapshot], removed, waiting };
}

const empty: Snapshot = { migrations: [], schema: { extensions: [], tables: [] }, released: undefined };

function snapshotOf(schema: Schema, origin: string, texts: MigrationTexts): Snapshot {
  const text = texts.get(snapshotPath);
  const names = [...texts.keys()].filter((path) => path !== snapshotPath).map((path) => basename(path));
  const twice = names.find((name, index) => names.findIndex((other) => other.slice(0, 4) === name.slice(0, 4)) < index);
  if (twice !== undefined)
    throw folderFault(
      `migrations/ has two files with the number ${twice.slice(0, 4)}. Delete the one that no database has, and generate again.`,
    );
  if (text === undefined) return adopted(schema, origin, texts, names);
  const snapshot = parseSnapshot(text);
  const missing = snapshot.migrations.find((name) => !names.includes(name));
  if (missing !== undefined)
    throw folderFault(`migrations/${missing} is missing, but databases have it. Restore it, or start over without generated/migrations.`);
  return snapshot;
}

// A first migration without its snapshot is matched by content, as long as the model is the same.
function adopted(schema: Schema, origin: string, texts: MigrationTexts, names: readonly string[]): Snapshot {
  if (names.length === 0) return empty;
  const [only] = [...texts.values()];
  if (names.length === 1 && only !== undefined && withoutHeading(only) === withoutHeading(printInitial(schema, origin)))
    return { ...empty, migrations: names, schema };
  throw folderFault(`migrations/ has files but no schema.json with their result. Restore it, or start over without generated/migrations.`);
}

function withoutHeading(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}

function squashed({ released }: Snapshot): Snapshot {
  return released === undefined ? empty : { ...released, released };
}

function nextMigration(
  base: Snapshot,
  wanted: Schema,
  origin: string,
  kept: readonly string[],
  options: MigrationOptions,
): OutputFile | undefined {
  if (base.migrations.length === 0)
    return { path: `migrations/0001-${fileName(options.name ?? 'initial')}.sql`, text: printInitial(wanted, origin), once: true };
  const { steps, problems } = diffSchemas(base.schema, wanted, options.decisions);
  if (problems.length > 0) throw new UndecidedError(problems);
  if (steps.length === 0) return undefined;
  const last = Math.max(...kept.map((path) => Number(basename(path).slice(0, 4))).filter(Number.isFinite));
  const number = String(last + 1).padStart(4, '0');
  const text = printMigration(number, steps, origin);
  refuseRepeated(base, text, options.texts);
  return { path: `migrations/${number}-${fileName(options.name ?? whatChanges(steps, wanted))}.sql`, text, once: true };
}

// A command that is run twice must not exchange two names twice.
function refuseRepeated({ migrations }: Snapshot, text: string, texts: MigrationTexts): void {
  const last = `migrations/${migrations.at(-1)}`;
  if (withoutHeading(texts.get(last) ?? '') === withoutHeading(text))
    throw folderFault(
      `${last} makes the same change already. Run gable generate without --renamed; to undo that migration, delete it if no database has it, and restore schema.json.`,
    );
}

function isDifferent(from: Schema, to: Schema, decisions: Decisions): boolean {
  if (isDeepStrictEqual(from, withoutHints(to))) return false;
  const { steps, problems } = diffSchemas(from, to, decisions);
  return steps.length + problems.length > 0;
}

// The changed tables, or else those whose rows are looked at, unless there are many.
function whatChanges(steps: readonly Step[], { tables }: Schema): string {
  const text = steps.flatMap(({ statements }) => statements).join('\n');
  const changed = tables.filter(
    ({ name }) =>
      new RegExp(`table (?:if exists )?"${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}"`).test(text) || text.includes(` on "${name}" `),
  );
  const named = changed.length > 0 ? changed : tables.filter(({ name }) => text.includes(` from "${name}" as "row"`));
  return named.length === 1 || named.length === 2 ? named.map(({ name }) => name).join('-and-') : 'model';
}

function fileName(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return words.slice(0, 60) || 'change';
}

/** The first migration, for an empty database, in one transaction. */
function printInitial(schema: Schema, origin: string): string {
  return `${heading('0001', origin)}${printSchema(schema)}`;
}

/** A later migration, step by step; the first line of each states how it runs and its cost. */
function printMigration(number: string, steps: readonly Step[], origin: string): string {
  const blocks = steps.map(({ phase, manner, statements, costs }, index) => {
    const first = `-- step ${index + 1} ${phase}, ${mannerText(manner)}: ${costs.join('; ') || 'no lock that anyone waits for'}`;
    return `${[first, ...statements].join('\n')}\n`;
  });
  return `${heading(number, origin)}${blocks.join('\n')}`;
}

// A line break in the model's name would end the comment.
function heading(number: string, origin: string): string {
  const from = origin.replace(/[^\x20-\x7e]/g, '?');
  return `-- Migration ${number} of ${from}, made once by \`gable generate\`: yours to complete before it is applied, and never to be changed after.\n`;
}

function mannerText(manner: Manner): string {
  switch (manner.kind) {
    case 'transaction':
      return 'in one transaction';
    case 'batches':
      return `in batches over ${quote(manner.table)}`;
    case 'alone':
      return 'outside of a transaction';
  }
}
