import { clientCredentials } from '../client/credentials.js';
import type { Connection } from '../client/send.js';
import { answerSeconds, fetchWithin } from '../generator/cli/fetch-within.js';
import { openService } from '../generator/cli/open-service.js';
import { printDiagnostics } from '../generator/cli/print-diagnostics.js';
import { UsageError } from '../generator/config/config.js';
import { readModel } from '../generator/generate.js';
import type { ModelGraph } from '../generator/graph/model-graph.js';
import { ModelError } from '../generator/model-error.js';
import { addressRule, serversOf } from '../runtime/database/address.js';
import { suggestion } from '../runtime/errors/suggest.js';
import { progressOf } from '../runtime/tools/cli/progress.js';
import { untilSignal } from '../runtime/tools/cli/until-signal.js';
import { copiedSet, eventSet, hasOwnKey, setNames, type CopiedSet } from './copied-set.js';
import { fileTarget } from './file-target.js';
import { readOptions, type Options } from './options.js';
import { postgresTarget } from './postgres-target.js';
import { replicate } from './replicate.js';
import type { Report } from './set-copy.js';
import type { Target } from './target.js';
import { watchSets } from './watch-sets.js';

/** The help text of `gable replicate`. */
export const help = `gable replicate: copies a service into a database or into files, and keeps the copy current

Usage: gable replicate URL --to TARGET [--once | --follow] [options]

  URL                 the service root of any OData 4 service
  --to TARGET         postgres://USER@HOST/DATABASE, or a folder for NDJSON and CSV files
  --once              copy what is new since the last time, and end; the default
  --follow            copy, then follow the changes until a signal
  --sets A,B          entity sets (default: all but EntityEvent)
  --select, --filter, --expand  the part of a set to copy: --filter "City eq 'Toronto'", or
                      with several sets --filter "Property: City eq 'Toronto'" (repeatable)
  --way NAME          delta, events, timestamp or all (default: the first of these that the service offers)
  --interval SECONDS  between two reads of changes (default: 1 for delta and events, 60 for timestamp, 600 for all)
  --timestamp NAME    the property with the time of the last change (default: ModificationTimestamp)
  --overlap SECONDS   how far before the last timestamp changes are read again (default: 600)
  --compare SECONDS   between two comparisons of all keys, which find deletions by the way timestamp
                      (default: 3600 with --follow, else every time)
  --page N            the wanted number of records of a page (default: 1000)
  --token-url URL, --client-id ID, --scope S  get tokens; the secret is in GABLE_CLIENT_SECRET
  --header 'N: V'     a header for every request
  --origin URL        another origin to which links of the service may point; the token is sent there

A token is read from GABLE_TOKEN. The position is stored with each page: after a crash, run the command again.

Exit codes: 0 done, 1 internal error, a service or target that fails, or a signal without --follow, 2 bad input or no service

Examples:
  gable replicate http://localhost:4004/odata --to postgres://localhost/copy --follow
  gable replicate https://services.example.com/odata --to data --sets Property,Media --filter "Property: City eq 'Toronto'"
`;

/** Runs the command and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const stop = new AbortController();
  void untilSignal().then(() => stop.abort());
  return copyService(readOptions(args), reportTo(process.stderr), stop.signal);
}

/**
 * Copies a service until the signal is aborted, and returns the exit code. While it follows, sets that the model describes
 * otherwise are opened anew.
 */
export async function copyService(options: Options, report: Report, stop: AbortSignal): Promise<number> {
  const token = tokenOf(options);
  const read = (line: Report['line']): Promise<readonly CopiedSet[] | undefined> => readSets(options, token, line);
  let sets = await read(report.line);
  while (sets !== undefined) {
    const watched = options.isFollowing ? watchSets(sets, () => read(() => undefined).catch(ifUnread)) : undefined;
    const signal = watched === undefined ? stop : AbortSignal.any([stop, watched.changed]);
    const isComplete = await replicate({
      ...{ ...options, sets, watched, report },
      service: serviceOf(options, token),
      target: targetOf(options),
      options: { ...options, signal },
    });
    if (stop.aborted || watched?.changed.aborted !== true) return endOf(isComplete || options.isFollowing, report);
    report.line('The model of the service has changed; the sets are opened anew.');
    sets = watched.latest();
  }
  return 2;
}

function endOf(isDone: boolean, report: Report): number {
  if (isDone) return 0;
  report.line('The copy is not complete; run the command again.');
  return 1;
}

function serviceOf({ root: baseUrl, headers, origins }: Options, token: Token): Connection {
  const fetch = fetchWithin(answerSeconds);
  const options = { baseUrl, token, headers, origins, retries: 4, decimals: 'string', fetch } as const;
  return { root: baseUrl, schema: { sets: {} }, options, last: {} };
}

function targetOf({ to }: Options): Target {
  if (!/^postgres(ql)?:/.test(to)) return fileTarget(to);
  if (serversOf(to) === undefined) throw new UsageError(`--to ${addressRule}.`);
  return postgresTarget(to);
}

type Token = string | (() => Promise<string>) | undefined;

function tokenOf({ grant }: Options): Token {
  if (grant === undefined) return process.env['GABLE_TOKEN'];
  const { tokenUrl, clientId, scope } = grant;
  const clientSecret = process.env['GABLE_CLIENT_SECRET'];
  if (clientSecret === undefined) throw new UsageError('GABLE_CLIENT_SECRET has no secret for --client-id.');
  return clientCredentials({ tokenUrl, clientId, clientSecret, ...(scope !== undefined && { scope }) });
}

async function firstToken(token: () => Promise<string>): Promise<string> {
  return token().catch((error: unknown) => {
    const { message, cause } = error as Error;
    throw new UsageError(`--token-url gives no token: ${cause instanceof Error ? cause.message : message}`);
  });
}

// The sets themselves report a service that fails.
function ifUnread(error: unknown): undefined {
  if (!(error instanceof UsageError)) throw error;
}

// Gaps of a document do not matter to a copy.
async function readSets(options: Options, token: Token, line: Report['line']): Promise<readonly CopiedSet[] | undefined> {
  const opened = await openService(options.root, typeof token === 'function' ? await firstToken(token) : token, options.headers);
  try {
    return copiedSets(readModel(opened.source, opened.options).graph, options, line);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    process.stderr.write(printDiagnostics(error, process.stderr));
    return undefined;
  }
}

// Sets that were named must be copied; of the others, those that can be.
function copiedSets(graph: ModelGraph, { sets, queryOf, timestamp }: Options, line: Report['line']): readonly CopiedSet[] {
  const known = setNames(graph);
  const unknown = sets?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--sets: the service has no entity set ${unknown}. It has ${known.join(', ')}.${suggestion(unknown, known)}`);
  const names = sets === undefined ? known.filter((name) => name !== eventSet) : [...new Set(sets)];
  return names.flatMap((name) => {
    if (hasOwnKey(graph, name)) return [copiedSet(graph, name, queryOf(name, names), timestamp)];
    if (sets !== undefined) throw new UsageError(`--sets: ${name} has no key of its own properties.`);
    line(`${name}: not copied, because it has no key of its own properties`);
    return [];
  });
}

// A progress bar for each first read; a line ends it.
function reportTo(output: NodeJS.WriteStream): Report {
  const bars = new Map<string, ReturnType<typeof progressOf>>();
  return {
    read: (set, done, total) => {
      if (total === undefined || total === 0) return;
      const bar = bars.get(set) ?? progressOf(output, { total, what: 'records', before: `${set} ` });
      bars.set(set, bar);
      bar.show(Math.min(done, total));
    },
    line: (text) => {
      for (const bar of bars.values()) bar.end();
      bars.clear();
      output.write(`${text}\n`);
    },
  };
}
