import { joinedOf } from './connect.js';
import type { Client } from './client.js';
import type { RequestOptions } from './options.js';
import type { Found, Page } from './pages.js';
import type { Received } from './receive.js';
import { pendingOf, type Pending } from './request.js';
import { errorOf, execute } from './send.js';

/** Requests that succeed or fail as one. */
export interface ChangeSet<Requests extends readonly unknown[] = readonly unknown[]> {
  readonly requests: Requests;
}

/** The result of a request of a batch. */
type Answer<R> = R extends ChangeSet<infer Requests> ? Answers<Requests> : R extends Found<infer T> ? Page<T> : Awaited<R>;

type Answers<Requests extends readonly unknown[]> = { -readonly [I in keyof Requests]: Answer<Requests[I]> };

/** Groups requests of a batch, all of which are carried out or none. */
export function changeSet<const Requests extends readonly object[]>(...requests: Requests): ChangeSet<Requests> {
  return { requests };
}

/** A request as a part of a batch. */
interface Part {
  readonly pending: Pending;
  readonly group: string | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const references = new WeakMap<Pending, string>();
let used: Set<string> = new Set();

/** The address of the record that an earlier request of the same batch creates, for `@odata.bind`. */
export function ref(request: object): string {
  const pending = pendingOf(request);
  const toJSON = (): string => {
    const id = (pending && references.get(pending)) ?? '';
    used.add(id);
    return `$${id}`;
  };
  return { toJSON } as unknown as string;
}

/**
 * Sends requests together, made in the same call: `batch(api, [api.Office.get('1'), changeSet(api.Property.create(…))])`.
 * Throws the first error; each request also remains a promise with its own result.
 */
export async function batch<const Requests extends readonly object[]>(
  client: Client<never> | object,
  requests: Requests,
  options?: RequestOptions,
): Promise<Answers<Requests>> {
  const { connection } = joinedOf(client);
  const parts: Part[] = [];
  const results = requests.map((one, index) => claim(one, parts, 'requests' in one ? `g${index}` : undefined));
  const body = { requests: parts.map(printPart) };
  const settle = ({ body: answer, url }: Received): void =>
    settleAll(parts, (answer as { readonly responses: readonly PartAnswer[] }).responses, url);
  execute(connection, { ...options, method: 'POST', address: '$batch', body, own: { Prefer: 'continue-on-error' }, read: settle }).catch(
    (error: unknown) => parts.forEach(({ reject }) => reject(error)),
  );
  return (await Promise.all(results)) as Answers<Requests>;
}

function claim(request: object, parts: Part[], group: string | undefined): Promise<unknown> {
  if ('requests' in request) return Promise.all((request.requests as readonly object[]).map((one) => claim(one, parts, group)));
  const pending = pendingOf(request);
  if (!pending || pending.isSent) throw new TypeError('A batch takes requests made in the same call');
  pending.claimed = new Promise((resolve, reject) => parts.push({ pending, group, resolve, reject }));
  references.set(pending, String(parts.length));
  // The error is thrown by the batch, and by the request where somebody awaits it.
  pending.claimed.catch(() => undefined);
  if (request instanceof Promise) request.catch(() => undefined);
  return pending.claimed;
}

function printPart({ pending, group }: Part): object {
  const { method, address: url, own, headers, body } = pending.plan;
  used = new Set();
  const json = body === undefined ? {} : { body: JSON.parse(JSON.stringify(body)) as unknown };
  const names = Object.entries({ ...(body !== undefined && { 'content-type': 'application/json' }), ...own, ...headers });
  const lower = Object.fromEntries(names.filter(([, value]) => value).map(([name, value]) => [name.toLowerCase(), value]));
  const dependsOn = [...used];
  return {
    id: references.get(pending),
    method,
    url,
    headers: lower,
    ...json,
    ...(group && { atomicityGroup: group }),
    ...(dependsOn.length > 0 && { dependsOn }),
  };
}

/** The response to a part (JSON Format 19.2). */
interface PartAnswer {
  readonly id: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

function settleAll(parts: readonly Part[], answers: readonly PartAnswer[], url: string): void {
  for (const { pending, resolve, reject } of parts) {
    const { plan } = pending;
    const answer = answers.find(({ id }) => id === references.get(pending));
    const { status = 424, body, headers = {} } = answer ?? {};
    const lower = new Headers(headers);
    const failure = { status, headers: lower, body, request: `${plan.method} ${plan.address}` };
    if (status >= 400) reject(errorOf(failure, plan));
    else Promise.resolve(plan.read({ status, headers: lower, body, url })).then(resolve, reject);
  }
}
