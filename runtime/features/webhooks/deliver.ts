import { randomUUID } from 'node:crypto';
import type { Caller } from '../../plan/caller.js';
import { readHorizon, readPart } from '../changes/log-state.js';
import { readChanges, type Change } from '../changes/read-changes.js';
import { dissent, type Payload, payloadOf, testOf } from './formats.js';
import { changeHook } from './hook-store.js';
import type { Hook } from './hook.js';
import { type Ending, keepBatch, type LeasedHook } from './lease.js';
import { openBearer, signatureHeaders } from './secrets.js';
import { type Reply, send, type SendSettings } from './send.js';
import { anyone } from '../../database/cancel.js';
import type { EntityContainer } from '../../edm/entity-container.js';
import type { WebhookSettings } from '../../http/outside.js';
import { type Service, unfilteredStore } from '../../http/service.js';
import type { Connection } from '../../sql/statement.js';
import { networkList } from './address.js';

/** The most changes in one delivery. */
const batchSize = 100;

/** Milliseconds after which a hook is due again, where all visible changes were read. */
const idlePause = 500;

/** The end of a delivery, with its numbers for the log. */
export interface Delivered {
  readonly ending: Ending;
  readonly status?: number | undefined;
  readonly message?: string;
  readonly changes?: number;
}

/** Delivers the next batch of a hook, or tests a consumer that has not consented yet. Undefined if the lease was lost. */
export async function deliver(hook: LeasedHook, parts: DeliveryParts): Promise<Delivered | undefined> {
  if (!hook.confirmed) return confirm(hook, parts);
  const { changes, to } = await readBatch(hook, parts);
  if (changes.length === 0) return { ending: { kind: 'passed', position: to, pause: idlePause } };
  const batch = hook.batch ?? { message: `msg_${randomUUID()}`, to };
  if (!(await parts.onDatabase((connection) => keepBatch(hook, batch, leaseTime(parts), connection)))) return undefined;
  const reply = await sendSigned(hook, batch.message, payloadOf(hook.format, changes, parts), parts);
  const ending = endingOf(reply, hook, parts) ?? { kind: 'delivered', position: batch.to, pause: 0 };
  return { ending, status: reply.status, message: batch.message, changes: changes.length };
}

async function confirm(hook: LeasedHook, parts: DeliveryParts): Promise<Delivered> {
  const reply = await sendTest(hook, parts);
  return { ending: endingOf(reply, hook, parts) ?? { kind: 'confirmed' }, status: reply.status };
}

/** The caller as whom the log is read for a hook. */
export function callerOfHook({ id, owner, scopes, member }: Pick<Hook, 'id' | 'owner' | 'scopes' | 'member'>): Caller {
  return { subject: owner ?? `hook ${id}`, scopes: new Set(scopes), ...(member !== undefined && { member }) };
}

/** The next changes of a hook that its scopes may know of, and the position after them. */
export function readBatch(
  hook: Pick<LeasedHook, 'id' | 'owner' | 'scopes' | 'member' | 'sets' | 'operations' | 'position' | 'batch'>,
  { container, onDatabase }: Pick<DeliveryParts, 'container' | 'onDatabase'>,
): Promise<{ readonly changes: readonly Change[]; readonly to: string }> {
  const { sets, operations, position, batch } = hook;
  return onDatabase(async (connection) => {
    const to = batch?.to ?? (await readPart(position, await readHorizon(connection), connection));
    const query = {
      from: position,
      to,
      limit: batchSize,
      caller: callerOfHook(hook),
      ...(sets && { sets }),
      ...(operations && { operations }),
    };
    return readChanges(query, container, connection);
  });
}

/** Tests the consumer of a hook immediately, and stores its consent; a reply without consent has no status. */
export async function testHook(hook: Hook, parts: DeliveryParts): Promise<Reply> {
  const reply = await sendTest(hook, parts);
  if (refusalOf(reply) === undefined) await parts.onDatabase((connection) => changeHook('confirm', { id: hook.id }, connection));
  return reply;
}

async function sendTest(hook: Hook, parts: DeliveryParts): Promise<Reply> {
  const reply = await sendSigned(hook, `msg_${randomUUID()}`, testOf(hook.format, parts), parts);
  const reason = reply.status === undefined || !isSuccess(reply.status) ? undefined : dissent(hook.format, reply.headers, parts);
  return reason === undefined ? reply : { status: undefined, reason };
}

async function sendSigned(hook: Hook, id: string, payload: Payload, parts: DeliveryParts): Promise<Reply> {
  const { method, body } = payload;
  const signed = method === 'POST' ? signatureHeaders({ id, body, seconds: Math.floor(Date.now() / 1_000) }, hook, parts.secret) : {};
  const bearer = bearerOf(hook, parts.secret);
  if (bearer === unreadable) return { status: undefined, reason: unreadable };
  const authorization = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` };
  return send(hook.address, { ...payload, headers: { ...payload.headers, ...signed, ...authorization } }, parts.sending);
}

const unreadable = 'its bearer token was stored with another GABLE_SECRET; remove the hook and add it again';

function bearerOf(hook: Hook, secret: string): string | undefined {
  if (hook.sealedBearer === undefined) return undefined;
  try {
    return openBearer(hook.sealedBearer, hook, secret);
  } catch {
    // Node reports only that the tag does not match.
    return unreadable;
  }
}

const gone = 410;

/** How a delivery that was not accepted ends; undefined if it was accepted. */
function endingOf(reply: Reply, { failures, failingFor }: LeasedHook, { tries, sending }: DeliveryParts): Ending | undefined {
  if (reply.status === undefined && sending.signal?.aborted) return { kind: 'interrupted' };
  const reason = refusalOf(reply);
  if (reason === undefined) return undefined;
  if (reply.status === gone) return { kind: 'stopped', reason, failures: failures + 1 };
  const retryAfter = reply.status === undefined ? undefined : parseRetryAfter(String(reply.headers['retry-after'] ?? ''), Date.now());
  const next = nextTry({ failures, failingFor }, retryAfter, tries);
  if (next.delay === undefined) return { kind: 'stopped', reason, failures: next.failures };
  return { kind: 'failed', reason, failures: next.failures, delay: next.delay };
}

/** The reason why a reply is no success; undefined for success. */
export function refusalOf(reply: Reply): string | undefined {
  if (reply.status === undefined) return reply.reason;
  return isSuccess(reply.status) ? undefined : `the consumer answered ${reply.status}`;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The failures of a hook so far, without the last one. */
interface Failing {
  readonly failures: number;
  /** Milliseconds since the first failure; 0 for none. */
  readonly failingFor: number;
}

/** The time until the next try in milliseconds; undefined after the last one. */
interface NextTry {
  readonly delay: number | undefined;
  /** The failures with the last one: a consumer that said when to come again has answered. */
  readonly failures: number;
}

/** Random differences of delays: a consumer that recovers must not get all deliveries in the same moment. */
const jitter = 0.1;

/** Milliseconds that a Retry-After may ask for. */
const retryLimits = { least: 1_000, most: 24 * 3_600_000 } as const;

/** The next try after a failure: when the consumer asked for it, while the schedule (in seconds) lasts, or as the schedule says. */
export function nextTry(
  { failures, failingFor }: Failing,
  retryAfter: number | undefined,
  schedule: readonly number[],
  random: () => number = Math.random,
): NextTry {
  if (retryAfter !== undefined) {
    const isOver = failingFor > schedule.reduce((sum, seconds) => sum + seconds, 0) * 1_000;
    const delay = Math.min(Math.max(retryAfter, retryLimits.least), retryLimits.most);
    return { delay: isOver ? undefined : delay, failures };
  }
  const seconds = schedule[failures];
  const delay = seconds === undefined ? undefined : seconds * 1_000 * (1 - jitter + 2 * jitter * random());
  return { delay, failures: failures + 1 };
}

/** The milliseconds that a Retry-After header asks for: seconds or a date (RFC 9110, 10.2.3); undefined for neither. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The dependencies of deliveries. */
export interface DeliveryParts {
  readonly root: string;
  readonly container: EntityContainer;
  /** The service's secret, from which those of hooks are derived. */
  readonly secret: string;
  readonly sending: SendSettings;
  /** The delays between tries in seconds. */
  readonly tries: readonly number[];
  /** Runs statements on a connection without row filters. */
  readonly onDatabase: <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>;
}

/** The time for which a hook is leased: a request and the statements around it. */
export function leaseTime({ sending }: Pick<DeliveryParts, 'sending'>): number {
  return 2 * sending.timeout;
}

/** The dependencies of a service's deliveries; the signal aborts requests. */
export function partsOf(service: Service, { secret, networks, timeout, tries }: WebhookSettings, signal?: AbortSignal): DeliveryParts {
  const { root, container } = service;
  const sending = { allowed: networkList(networks), timeout, ...(signal && { signal }) };
  return { root, container, secret, sending, tries, onDatabase: (work) => unfilteredStore(service).read(work, anyone) };
}
