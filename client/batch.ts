import { placeOf } from './connect.js';
import type { RequestOptions } from './options.js';
import type { Found, Page } from './pages.js';
import { pending, type Pending, type Plan } from './request.js';
import type { Received } from './receive.js';
import { errorOf, execute, headersOf, type Connection } from './send.js';

/** Requests that succeed or fail as one. */
export interface ChangeSet<Requests extends readonly unknown[] = readonly unknown[]> {
  readonly requests: Requests;
}

/** A request as a method of the client returns it. */
type Sendable = PromiseLike<unknown> | AsyncIterable<unknown>;

/** The result of a request of a batch. */
type Answer<R> = R extends ChangeSet<infer Requests> ? Answers<Requests> : R extends Found<infer T> ? Page<T> : Awaited<R>;

type Answers<Requests extends readonly unknown[]> = { -readonly [I in keyof Requests]: Answer<Requests[I]> };

/** Groups requests of a batch, all of which are carried out or none. */
export function changeSet<const Requests extends readonly Sendable[]>(...requests: Requests): ChangeSet<Requests> {
  return { requests };
}

/** A request as a part of a batch. */
interface Part {
  readonly pending: Pending;
  readonly group: string | undefined;
}

let referred: string[] = [];

/** The address of the record that an earlier request of the same batch creates, for `@odata.bind`. */
export function ref(request: object): string {
  const part = pending.get(request);
  const toJSON = (): string => {
    referred.push(part?.id as string);
    return `$${part?.id}`;
  };
  return { toJSON } as unknown as string;
}

/**
 * Sends requests together, made in the same call: `batch(api, [api.Office.get('1'), changeSet(api.Property.create(…))])`.
 * Throws the first error; each request also remains a promise with its own result.
 */
export async function batch<const Requests extends readonly (Sendable | ChangeSet)[]>(
  client: object,
  requests: Requests,
  options?: RequestOptions,
): Promise<Answers<Requests>> {
  const place = placeOf(client);
  const parts: Part[] = [];
  let sent: Promise<Received> | undefined;
  const answers = Promise.resolve().then(() => sent as Promise<Received>);
  const results = requests.map((one) => claim(one, parts, answers));
  const plan: Plan<Received> = {
    ...options,
    method: 'POST',
    address: '$batch',
    body: { requests: parts.map((part) => printPart(part, place)) },
    own: { prefer: 'continue-on-error' },
    read: (received) => received,
    // Each part has its own id then.
    isRepeatable: place.options.repeatable as boolean,
  };
  sent = execute(place, plan);
  return (await Promise.all(results)) as Answers<Requests>;
}

function claim(request: object, parts: Part[], answers: Promise<Received>, group?: string): Promise<unknown> {
  const own = `g${parts.length}`;
  if ('requests' in request) return Promise.all((request.requests as readonly object[]).map((one) => claim(one, parts, answers, own)));
  const part = pending.get(request);
  if (!part) throw new TypeError('Not a request of this call');
  part.id = String(parts.push({ pending: part, group }));
  const claimed = (part.claimed = answers.then((received) => resultOf(part, received)));
  // The error is thrown by the batch, and by the request where somebody awaits it.
  void Promise.allSettled([claimed, request]);
  return claimed;
}

// A part has its own headers, such as those with the form of numbers.
function printPart({ pending: { id, plan }, group: atomicityGroup }: Part, connection: Connection): object {
  const { method, address: url, body } = plan;
  referred = [];
  return {
    id,
    method,
    url,
    headers: Object.fromEntries(headersOf(connection, plan)),
    // Before `dependsOn`, which it fills.
    body: body && (JSON.parse(JSON.stringify(body)) as object),
    atomicityGroup,
    dependsOn: referred,
  };
}

/** The response to a part (JSON Format 19.2). */
interface PartAnswer {
  readonly id?: string | undefined;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

function resultOf({ plan, id }: Pending, { body: whole, url }: Received): unknown {
  const { responses } = whole as { readonly responses: readonly PartAnswer[] };
  const { status, headers, body }: PartAnswer = responses.find((one) => one.id === id) ?? { status: 424 };
  const received = { headers: new Headers(headers), body, url };
  if (status < 400) return plan.read(received);
  throw errorOf({ ...received, status, request: `${plan.method} ${plan.address}` }, plan);
}
