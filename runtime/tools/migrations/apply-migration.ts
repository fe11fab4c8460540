import { withCode } from '../../errors/migration-codes.js';
import { setTimeout as delay } from 'node:timers/promises';
import { type MigrationFile, type MigrationStep, type Phase, phases, statementsOf, stepsOf } from './migration-files.js';
import { readPosition, recordApplied, recordStep } from './migration-record.js';
import { isConnectionLost, kindOfFailure } from '../../database/failures.js';
import { runStatement } from '../../database/run.js';
import type { DatabaseClient } from '../../database/pool.js';

/** The progress of a backfill, in rows. */
interface Batches {
  readonly done: number;
  readonly end: number;
}

/** Called before every step, and after every batch. */
export type OnProgress = (file: string, step: MigrationStep, batches?: Batches) => void;

/** The options for applying migrations. */
export interface ApplyOptions {
  readonly onProgress?: OnProgress;
  /** Called once when another process is migrating, which is then waited for. */
  readonly onWait?: () => void;
  /** The last phase to run; all by default. */
  readonly until?: Phase | undefined;
}

/**
 * Applies the remaining steps of a file, and returns whether it is complete; completed steps stay when a later one
 * fails.
 */
export async function applyMigration(
  client: DatabaseClient,
  file: MigrationFile,
  done: ReadonlySet<number>,
  { onProgress = () => undefined, until = 'contract' }: ApplyOptions,
): Promise<boolean> {
  const left = stepsOf(file).filter(({ number }) => !done.has(number));
  const last = left.at(-1);
  const steps = left.filter(({ phase }) => phase === undefined || phases.indexOf(phase) <= phases.indexOf(until));
  for (const step of steps) {
    try {
      await runStep(client, file, step, step === last, onProgress);
    } catch (error) {
      throw failureOf(file, step, error as StatementFailure);
    }
  }
  // The process ended after the last step, before the migration was recorded.
  if (last === undefined) await inTransaction(client, () => recordApplied(client, file));
  return steps.length === left.length;
}

async function runStep(
  client: DatabaseClient,
  file: MigrationFile,
  step: MigrationStep,
  isLast: boolean,
  onProgress: OnProgress,
): Promise<void> {
  const record = (): Promise<void> => (isLast ? recordApplied(client, file) : recordStep(client, file, step.number, true));
  switch (step.manner) {
    case 'in one transaction':
      onProgress(file.name, step);
      // Several statements in one text need the simple protocol, which the driver uses for queries without values.
      return withPatience(client, step, () =>
        inTransaction(client, async () => {
          await client.query({ text: step.text });
          await record();
        }),
      );
    case 'outside of a transaction':
      onProgress(file.name, step);
      await repeatedly(async () => {
        for (const text of statementsOf(step)) await client.query({ text });
      });
      return inTransaction(client, record);
    case 'in batches':
      await runBatches(client, file, step, onProgress);
      return inTransaction(client, record);
  }
}

/** Rows per batch; their locks are held for some milliseconds. */
const batchSize = 5_000n;

// The position is recorded in the transaction of the rows, so that the next run continues there.
async function runBatches(client: DatabaseClient, file: MigrationFile, step: MigrationStep, onProgress: OnProgress): Promise<void> {
  const [row] = await runStatement(client, { text: `SELECT max("#id")::text FROM ${step.table}`, bind: [] });
  const end = BigInt(row?.[0] ?? 0);
  const statements = statementsOf(step);
  for (let from = BigInt((await readPosition(client, file, step.number)) ?? 0); from < end; from += batchSize) {
    const to = from + batchSize;
    const batch = async (): Promise<void> => {
      for (const text of statements) await runStatement(client, { text, bind: [String(from), String(to)] });
      await recordStep(client, file, step.number, false, String(to));
    };
    await repeatedly(() => inTransaction(client, batch));
    onProgress(file.name, step, { done: Number(to < end ? to : end), end: Number(end) });
  }
}

async function inTransaction(client: DatabaseClient, work: () => Promise<void>): Promise<void> {
  await client.query({ text: 'BEGIN' });
  try {
    await work();
    await client.query({ text: 'COMMIT' });
  } catch (error) {
    // On a lost connection the rollback fails and is unnecessary; the first failure is the one to report.
    await client.query({ text: 'ROLLBACK' }).catch(() => undefined);
    throw error;
  }
}

const attempts = 20;

// Others queue after a waiting table lock, so it is requested with a short timeout, repeatedly.
async function withPatience(client: DatabaseClient, { phase }: MigrationStep, work: () => Promise<void>): Promise<void> {
  if (phase === undefined) return work();
  await client.query({ text: "SET lock_timeout TO '2s'" });
  await repeatedly(work);
  await client.query({ text: 'SET lock_timeout TO 0' });
}

/** Lock not available, and deadlock: PostgreSQL ends the one of two that notices it first, which may be the migration. */
const passing: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

async function repeatedly(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!passing.has((error as StatementFailure).code) || attempt === attempts) throw error;
      await delay(500);
    }
  }
}

/** PostgreSQL's error for a statement; other errors have no code. */
type StatementFailure = Error & {
  readonly code?: string;
  readonly position?: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly severity?: string;
};

/** The error for a step that fails because of rows, schema or server. */
export class FailedStepError extends Error {
  override readonly name = 'FailedStepError';
  readonly exitCode: 1 | 2;

  constructor(message: string, cause: StatementFailure) {
    super(withCode('failed', message), { cause });
    this.exitCode = isOfServer(cause) ? 1 : 2;
  }
}

// Lost connections, locks, resources, system errors and internal errors (PostgreSQL, appendix A); anything else is fixed
// in rows or the file.
function isOfServer(error: StatementFailure): boolean {
  return ['lost', 'busy', 'repeat'].includes(kindOfFailure(error) ?? '') || /^(?:58|XX)/.test(error.code ?? '');
}

function failureOf(file: MigrationFile, step: MigrationStep, error: StatementFailure): Error {
  const message = failureMessage(file, step, error);
  return kindOfFailure(error) === undefined ? new Error(message, { cause: error }) : new FailedStepError(message, error);
}

function failureMessage({ name }: MigrationFile, step: MigrationStep, error: StatementFailure): string {
  const { position, message } = error;
  const line =
    position === undefined || step.manner !== 'in one transaction'
      ? step.line
      : step.line + step.text.slice(0, Number(position) - 1).split('\n').length - 1;
  const isWhole = step.phase === undefined;
  const place = isWhole && position === undefined ? name : `${name}:${line}`;
  // An error of the server has a severity, and means a rollback.
  const done = isConnectionLost(error) && error.severity === undefined ? lostAt(step) : failedAt(step, error);
  return `${place}: ${message}. ${keyIn(error)}${hintOf(error)}${done}${extensionAdvice(message)}`;
}

function failedAt(step: MigrationStep, error: StatementFailure): string {
  if (step.phase === undefined) return 'Nothing of this file was applied.';
  return `Step ${step.number} failed${placeOf(step)}; the steps before it are done. Correct the cause${whatStops(step, error)}, and migrate again: it resumes at this step.`;
}

// A connection may be lost while the answer to COMMIT is on its way.
function lostAt(step: MigrationStep): string {
  const part = step.phase === undefined ? 'this file was' : `step ${step.number}${placeOf(step)} was`;
  return `The connection was lost, so it is unknown whether ${part} applied. Migrate again: it continues with what is not.`;
}

// The duplicate or dangling key; other failures would reveal a whole row.
function keyIn({ code, detail }: StatementFailure): string {
  return detail !== undefined && (code === '23505' || code === '23503') ? `${detail.replace(/\.?$/, '.')} ` : '';
}

// PostgreSQL names the table of a violated constraint, and not that of a value that does not fit.
function placeOf({ table, costs }: MigrationStep): string {
  const tables = new Set([table ?? [], ...[...costs.matchAll(/ on ("(?:[^"]|"")+")/g)].map(([, name]) => name ?? '')].flat());
  return tables.size === 1 ? ` on ${[...tables][0]}` : '';
}

// Advice of the server about itself, such as to free disk space.
function hintOf(error: StatementFailure): string {
  return error.hint !== undefined && isOfServer(error) ? `${error.hint} ` : '';
}

// The generator's note about the rows, which PostgreSQL does not always name.
function whatStops({ costs }: MigrationStep, error: StatementFailure): string {
  if (isOfServer(error)) return '';
  const known = costs.split('; ').filter((cost) => cost.endsWith('stops it'));
  return known.length === 0 ? '' : ` (${known.join('; ')})`;
}

// On many servers the service's role cannot create extensions.
function extensionAdvice(message: string): string {
  const [, extension] = /extension "(\w+)"/.exec(message) ?? [];
  if (extension === undefined) return '';
  return `\nA user with the necessary rights must run \`create extension ${extension}\` in this database; it is part of PostgreSQL's contrib package. Then migrate again.`;
}
