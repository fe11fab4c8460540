import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { registerFeatures } from '../../runtime/features/index.js';
import { respond } from '../../runtime/http/respond.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { isWhole, type ODataRequest, type ODataResponse } from '../../runtime/protocol/message.js';
import { fuzzInput, type FuzzInput } from './fuzz-input.js';
import { loadModels, type FuzzModel } from './models.js';

/** The outcome of a run. */
interface FuzzOutcome {
  readonly inputs: number;
  /** How many were answered with each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The most processor time of one input, in milliseconds. */
  readonly slowest: number;
  /** By how much the heap grew from a fifth of the run to its end, in bytes. */
  readonly growth: number;
  readonly faults: readonly string[];
  /** The slowest inputs, slowest first, each measured again alone. */
  readonly costliest: readonly string[];
}

/** The parameters of a run. */
interface FuzzSettings {
  /** Milliseconds of processor time. */
  readonly allowed?: number;
  /** The number of slow inputs to report. */
  readonly told?: number;
}

/** The processor time that an input may take, in milliseconds, on a machine that has nothing else to do. */
export const longest = 5;
/** The same where others use the processor too: what grows with the input is far beyond it. */
export const longestShared = 50;
const codes: ReadonlySet<string> = new Set(Object.values(errors).map(({ code }) => code));

/** Answers inputs in this process: every stage but the database. */
export async function runFuzz(inputs: number, seed: number, { allowed = longest, told = 0 }: FuzzSettings = {}): Promise<FuzzOutcome> {
  await registerFeatures();
  const models = await loadModels();
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  const costs = costTable(told * 5);
  let slowest = 0;
  let before = 0;
  for (let index = 0; index < inputs && faults.length < 20; index++) {
    if (index === Math.floor(inputs / 5)) before = heapUsed();
    const input = fuzzInput(seed + index, models);
    const outcome = await tryInput(input, allowed);
    statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1);
    slowest = Math.max(slowest, outcome.milliseconds);
    costs.note(seed + index, outcome.milliseconds);
    const fault = outcome.fault ?? (outcome.milliseconds > allowed ? `${outcome.milliseconds.toFixed(1)} ms` : undefined);
    if (fault !== undefined) faults.push(described(seed + index, input, fault));
  }
  const growth = heapUsed() - before;
  return { inputs, statuses, slowest, growth, faults, costliest: await tryAgain(costs.seeds(), models, told) };
}

function described(seed: number, { model, method, url, headers, body }: FuzzInput, told: string): string {
  return `seed ${seed}: ${told}\n${model.subject.container.namespace}: ${method} ${JSON.stringify(url.slice(0, 2_000))} ${JSON.stringify(headers)}\n${JSON.stringify(Buffer.from(body).toString('latin1').slice(0, 2_000))}`;
}

interface CostTable {
  readonly note: (seed: number, milliseconds: number) => void;
  readonly seeds: () => readonly number[];
}

// Twice as many are kept between sortings.
function costTable(size: number): CostTable {
  let kept: (readonly [seed: number, milliseconds: number])[] = [];
  const sort = (): void => void (kept = kept.toSorted((a, b) => b[1] - a[1]).slice(0, size));
  return {
    note: (seed, milliseconds) => {
      if (size > 0) kept.push([seed, milliseconds]);
      if (kept.length > 2 * size) sort();
    },
    seeds: () => {
      sort();
      return kept.map(([seed]) => seed);
    },
  };
}

// The least of many times is the input's own cost, without what else the processor was asked for.
async function tryAgain(seeds: readonly number[], models: readonly [FuzzModel, ...FuzzModel[]], told: number): Promise<readonly string[]> {
  const found: { readonly milliseconds: number; readonly text: string }[] = [];
  for (const seed of seeds) {
    const input = fuzzInput(seed, models);
    const { milliseconds } = await tryInput(input, 0, 30);
    found.push({ milliseconds, text: described(seed, input, `${milliseconds.toFixed(2)} ms`) });
  }
  return found
    .toSorted((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, told)
    .map(({ text }) => text);
}

interface Tried {
  readonly status: number;
  readonly milliseconds: number;
  readonly fault: string | undefined;
}

// Garbage collection and compilation are attributed to whichever input they interrupt; a slow input is slow every time.
/** The number of times that an input over half of the limit is repeated. */
const doubtful = 6;

async function tryInput(input: FuzzInput, allowed: number, attempts = doubtful): Promise<Tried> {
  let best: Tried | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const started = process.cpuUsage();
    const { status, fault } = await answer(input);
    const { user, system } = process.cpuUsage(started);
    const milliseconds = (user + system) / 1_000;
    if (best === undefined || milliseconds < best.milliseconds) best = { status, fault, milliseconds };
    if (best.milliseconds <= allowed / 2) break;
    if (attempts <= doubtful) await delay(2 ** attempt);
  }
  if (best === undefined) throw new Error('An input was not tried.');
  return best;
}

async function answer(input: FuzzInput): Promise<{ readonly status: number; readonly fault: string | undefined }> {
  const failures: unknown[] = [];
  const service = { ...input.model.service, logFailure: (failure: unknown) => void failures.push(failure) };
  try {
    const response = await respond(requestOf(input), service);
    const [failure] = failures;
    if (failure !== undefined) return { status: response.status, fault: failure instanceof Error ? failure.stack : String(failure) };
    return { status: response.status, fault: await faultOf(response, input) };
  } catch (failure) {
    return { status: 0, fault: failure instanceof Error ? failure.stack : String(failure) };
  }
}

async function faultOf(response: ODataResponse, { url, body }: FuzzInput): Promise<string | undefined> {
  const text = await textOf(response);
  if (response.status < 400) return undefined;
  const { error } = JSON.parse(text) as { readonly error?: { readonly code?: string; readonly message?: string } };
  if (!codes.has(error?.code ?? '')) return `an error that is not in the catalogue: ${text}`;
  // Messages quote the input.
  const sent = url + Buffer.from(body).toString('latin1');
  const slips = ['undefined', '[object '].filter((slip) => error?.message?.includes(slip) && !sent.includes(slip.trim()));
  return slips.length > 0 ? `a message that was not made for people: ${text}` : undefined;
}

async function textOf(response: ODataResponse): Promise<string> {
  if (isWhole(response)) return Buffer.from(response.body ?? '').toString('utf8');
  const chunks: Buffer[] = [];
  for await (const chunk of response.body) chunks.push(chunk as Buffer); // Chunks of a page are bytes.
  return Buffer.concat(chunks).toString('utf8');
}

async function* onlyChunk(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

function requestOf({ method, url, headers, body }: FuzzInput): ODataRequest {
  const [path = '', ...query] = url.split('?');
  return {
    method,
    path,
    query: query.join('?'),
    header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
    body: async () => body,
    chunks: () => onlyChunk(body),
    id: 'fuzz',
    recipient: { isGone: () => false, onGone: () => () => undefined },
  };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // The flag defines it.

function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
