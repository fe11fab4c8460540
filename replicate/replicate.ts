import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../client/errors.js';
import type { Connection } from '../client/send.js';
import { UsageError } from '../generator/config/config.js';
import type { CopiedSet } from './copied-set.js';
import { copySet } from './copy-set.js';
import { SetCopy, type CopyOptions, type Report } from './set-copy.js';
import type { Target } from './target.js';
import type { WatchedSets } from './watch-sets.js';
import { requireWay, wayNamed } from './ways.js';

/** A run: what is copied, from where, and for how long. */
export interface Replication {
  readonly sets: readonly CopiedSet[];
  readonly service: Connection;
  readonly target: Target;
  readonly options: CopyOptions;
  readonly report: Report;
  /** The sets, if changes are followed. */
  readonly watched: WatchedSets | undefined;
  /** Follows changes until it is stopped. */
  readonly isFollowing: boolean;
  /** Milliseconds between two reads of changes; by default those of each way. */
  readonly interval: number | undefined;
}

/**
 * Copies sets to a target: once, one after the other, or following the changes of all of them. Returns whether each set
 * was copied before the signal.
 */
export async function replicate(run: Replication): Promise<boolean> {
  const { sets, target } = run;
  let isComplete = true;
  try {
    const copies = await openTarget(run);
    for (const copy of copies) await untilDone(copy, run, requireWay);
    for (const copy of copies) isComplete = (await pass(copy, run)) && isComplete;
    if (run.isFollowing) await Promise.all(copies.map((copy) => follow(copy, run)));
    for (const set of sets) await settle(set, target, true);
    return isComplete;
  } finally {
    await target.close();
  }
}

async function openTarget(run: Replication): Promise<readonly SetCopy[]> {
  const { sets, service, target } = run;
  try {
    await target.open(sets);
    return sets.map((set) => new SetCopy(set, service, target, run));
  } catch (error) {
    throw asFailure(error, 'The target cannot be used');
  }
}

async function follow(copy: SetCopy, run: Replication): Promise<void> {
  const { signal } = run.options;
  while (!signal.aborted) {
    await pause(run.interval ?? (wayNamed(copy.state.way)?.interval ?? 1) * 1_000, signal);
    await run.watched?.check('in time');
    await pass(copy, run);
  }
}

// Copies what is new, and reports it; false where the signal came before the end.
async function pass(copy: SetCopy, run: Replication): Promise<boolean> {
  const { set, counts, state, report, options } = copy;
  if (options.signal.aborted) return false;
  const before = { ...counts };
  const started = performance.now();
  const isDone = await untilDone(copy, run, copySet);
  await settle(set, run.target, false);
  const [written, removed] = [counts.written - before.written, counts.removed - before.removed];
  const seconds = (performance.now() - started) / 1_000;
  if (options.signal.aborted && copy.state.phase !== 'following') report.line(`${set.name}: ${written} records so far`);
  else if (state.phase === 'reading' && copy.state.phase === 'following') {
    const by = wayNamed(copy.state.way)?.by ?? '';
    report.line(`${set.name}: ${written} records in ${seconds.toFixed(1)} s, ${Math.round(written / seconds)} a second; changes by ${by}`);
  } else if (written + removed > 0) report.line(`${set.name}: ${written} changed, ${removed} removed`);
  return isDone;
}

async function settle(set: CopiedSet, target: Target, isLast: boolean): Promise<void> {
  await target.settle(set, isLast).catch((error: unknown) => {
    throw asFailure(error, set.name);
  });
}

// Rounds without a finished copy, and failures without a written page, after which a run ends.
const mostRounds = 3;
const mostFailures = 10;

// False where the signal came first.
async function untilDone(
  copy: SetCopy,
  { isFollowing, watched, options: { signal } }: Replication,
  work: (copy: SetCopy) => Promise<void>,
): Promise<boolean> {
  let [rounds, failures] = [0, 0];
  for (;;) {
    const { pages } = copy;
    try {
      await work(copy);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      failures = copy.pages > pages ? 1 : failures + 1;
      if (isStale(error, copy) && rounds < mostRounds) {
        // A migration may be the reason, and the sets are to be read with the properties that they have now.
        await watched?.check('now');
        if (signal.aborted) return false;
        rounds += 1;
        copy.report.line(`${copy.set.name}: the service no longer knows where the copy is; all records are read again`);
        await copy.startOver();
        continue;
      }
      const wait = waitAfter(error, failures);
      if (wait === undefined || (!isFollowing && failures > mostFailures))
        throw isQueryRefused(error, copy) ? queryRefused(error, copy.set) : asFailure(error, copy.set.name);
      copy.report.line(`${copy.set.name}: ${reasonOf(error)}; next try in ${Math.ceil(wait / 1_000)} s`);
      await pause(wait, signal);
    }
  }
}

// A stored link that the service no longer accepts: 410 for one that is too old (Protocol 11.4), and whatever others answer.
function isStale(error: unknown, { state }: SetCopy): boolean {
  return error instanceof ServiceError && state.link !== undefined && [400, 404, 410].includes(error.status);
}

// The first request for records has the query of the command line as it is.
function isQueryRefused(error: unknown, { state, set: { query } }: SetCopy): error is ServiceError {
  const isFirst = state.phase === 'reading' && state.link === undefined && Object.keys(query).length > 0;
  return isFirst && error instanceof ServiceError && error.status === 400;
}

function queryRefused({ message }: ServiceError, { name, query }: CopiedSet): UsageError {
  const options = Object.keys(query).map((option) => `--${option}`);
  return new UsageError(`${name}: the service refuses ${options.join(', ')}: ${message}`);
}

// A lost connection is a TypeError of fetch. Other errors do not end by themselves.
function waitAfter(error: unknown, failures: number): number | undefined {
  const { status = 0, retryAfter = 0 } = error as Partial<ServiceError>;
  const isTransient = status === 429 || status >= 500 || error instanceof TypeError;
  return isTransient && status !== 501 ? Math.max(retryAfter, Math.min(60_000, 500 * 2 ** failures)) : undefined;
}

/** The end of a run, in a sentence. */
class ReplicationError extends Error {
  override readonly name = 'ReplicationError';
  readonly exitCode = 1;
}

// Messages of the service, the database and this package; any other error is a defect, whose stack helps to find it.
function asFailure(error: unknown, where: string): unknown {
  const { constructor: kind, code, cause } = error as Error & { readonly code?: unknown };
  const isKnown = error instanceof ServiceError || kind === Error || code !== undefined || cause !== undefined || isOfDriver(error);
  return isKnown ? new ReplicationError(`${where}: ${reasonOf(error)}`, { cause: error }) : error;
}

function isOfDriver(error: unknown): boolean {
  return (error as { readonly parent?: unknown }).parent instanceof Error;
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

// A timer of Node with a longer time than 24 days ends at once.
const longestPause = 2 ** 31 - 1;

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(milliseconds, longestPause), undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
