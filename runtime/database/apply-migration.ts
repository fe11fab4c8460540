import { setTimeout as delay } from 'node:timers/promises';
import type { MigrationFile } from './migration-files.js';
import { readPosition, recordApplied, recordStep } from './migration-record.js';
import { phases, statementsOf, stepsOf, type MigrationStep, type Phase } from './migration-steps.js';
import { runStatement, type DatabaseClient } from './run.js';

/** How far a backfill has come, in numbers of records. */
export interface Batches {
  readonly done: number;
  readonly end: number;
}

/** Told of every step before it is taken, and of every batch behind it. */
export type OnProgress = (file: string, step: MigrationStep, batches?: Batches) => void;

/** How far to go, and whom to tell. */
export interface ApplyOptions {
  readonly onProgress?: OnProgress;
  /** Called once where another process is migrating, which is waited for. */
  readonly onWait?: () => void;
  /** The last phase of a migration that is carried out; all of them when left out. */
  readonly until?: Phase | undefined;
}

/** Applies a file from the step on at which it stands, and says whether it is done; what a step has done stays done when a later one fails. */
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
  // The last step was done, and the process ended before the whole was recorded.
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
      // Several statements in one text need the simple protocol, which a query without values uses.
      return withPatience(client, step, () =>
        inTransaction(client, async () => {
          await client.query({ text: step.text });
          await record();
        }),
      );
    case 'outside of a transaction':
      onProgress(file.name, step);
      for (const text of statementsOf(step)) await client.query({ text });
      return inTransaction(client, record);
    case 'in batches':
      await runBatches(client, file, step, onProgress);
      return inTransaction(client, record);
  }
}

/** Rows of one batch; their locks are held for some milliseconds. */
const batchSize = 5_000n;

// Where it stands is recorded with the rows, so that one who comes later goes on from there.
async function runBatches(client: DatabaseClient, file: MigrationFile, step: MigrationStep, onProgress: OnProgress): Promise<void> {
  const [row] = await runStatement(client, { text: `SELECT max("#id")::text FROM ${step.table}`, bind: [] });
  const end = BigInt(row?.[0] ?? 0);
  const statements = statementsOf(step);
  for (let from = BigInt((await readPosition(client, file, step.number)) ?? 0); from < end; from += batchSize) {
    const to = from + batchSize;
    await inTransaction(client, async () => {
      for (const text of statements) await runStatement(client, { text, bind: [String(from), String(to)] });
      await recordStep(client, file, step.number, false, String(to));
    });
    onProgress(file.name, step, { done: Number(to < end ? to : end), end: Number(end) });
  }
}

async function inTransaction(client: DatabaseClient, work: () => Promise<void>): Promise<void> {
  await client.query({ text: 'BEGIN' });
  try {
    await work();
    await client.query({ text: 'COMMIT' });
  } catch (error) {
    // Over a connection that is lost nothing can be taken back, nor need be: the first failure is the one to tell.
    await client.query({ text: 'ROLLBACK' }).catch(() => undefined);
    throw error;
  }
}

const attempts = 20;

// Whoever waits for a lock of the whole table lets all others wait behind him, so it is asked for shortly and again.
async function withPatience(client: DatabaseClient, { phase }: MigrationStep, work: () => Promise<void>): Promise<void> {
  if (phase === undefined) return work();
  await client.query({ text: "SET lock_timeout TO '2s'" });
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      await client.query({ text: 'SET lock_timeout TO 0' });
      return;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== '55P03' || attempt === attempts) throw error;
      await delay(500);
    }
  }
}

/** What PostgreSQL says of a statement; anything else has no code. */
type StatementFailure = Error & { readonly code?: string; readonly position?: string; readonly detail?: string };

/** A step that the rows, the schema or the server do not let through. */
export class FailedStepError extends Error {
  override readonly name = 'FailedStepError';
  readonly exitCode: 1 | 2;

  constructor(message: string, cause: StatementFailure) {
    super(message, { cause });
    this.exitCode = isOfServer(cause) ? 1 : 2;
  }
}

// Connections, resources, the operator's hand, the system and what is broken (PostgreSQL, appendix A); all else can be mended in rows or file.
function isOfServer({ code = '' }: StatementFailure): boolean {
  return /^(?:08|53|57|58|XX)/.test(code);
}

function failureOf(file: MigrationFile, step: MigrationStep, error: StatementFailure): Error {
  const message = failureMessage(file, step, error);
  return /^[0-9A-Z]{5}$/.test(error.code ?? '') ? new FailedStepError(message, error) : new Error(message, { cause: error });
}

function failureMessage({ name }: MigrationFile, step: MigrationStep, error: StatementFailure): string {
  const { position, message } = error;
  const line =
    position === undefined || step.manner !== 'in one transaction'
      ? step.line
      : step.line + step.text.slice(0, Number(position) - 1).split('\n').length - 1;
  const isWhole = step.phase === undefined;
  const place = isWhole && position === undefined ? name : `${name}:${line}`;
  const done = isWhole
    ? 'Nothing of this file was applied.'
    : `Step ${step.number} was not done; those before it are. Mend what it says${whatStops(step)}, and migrate again: it goes on from here.`;
  return `${place}: ${message}. ${keyIn(error)}${done}${extensionAdvice(message)}`;
}

// The key that is there twice, or leads nowhere; other failures would show a whole row.
function keyIn({ code, detail }: StatementFailure): string {
  return detail !== undefined && (code === '23505' || code === '23503') ? `${detail.replace(/\.?$/, '.')} ` : '';
}

// What the generator knew of its rows, which PostgreSQL does not always name.
function whatStops({ costs = '' }: MigrationStep): string {
  const known = costs.split('; ').filter((cost) => cost.endsWith('stops it'));
  return known.length === 0 ? '' : ` (${known.join('; ')})`;
}

// On many servers the role of a service may create no extension.
function extensionAdvice(message: string): string {
  const [, extension] = /extension "(\w+)"/.exec(message) ?? [];
  if (extension === undefined) return '';
  return `\nLet someone who may do so run \`create extension ${extension}\` in this database, and migrate again; PostgreSQL's contrib package has it.`;
}
