import { placeOf } from './connect.js';
import type { RequestOptions } from './options.js';
import type { Found, Page } from './pages.js';
import { pendingOf, repeatable, type Pending, type Plan } from './request.js';
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

let referred: string[] = [];

/** The address of the record that an earlier request of the same batch creates, for `@odata.bind`. */
export function ref(request: object): string {
  const toJSON = (): string => {
    const id = pendingOf(request)?.id ?? '';
    referred.push(id);
    return `$${id}`;
  };
  return { toJSON } as unknown as string;
}

/**
 * Sends requests together, made in the same call: `batch(api, [api.Office.get('1'), changeSet(api.Property.create(…))])`.
 * Throws the first error; each request also remains a promise with its own result.
 */
export async function batch<const Requests extends readonly object[]>(
  client: object,
  requests: Requests,
  options?: RequestOptions,
): Promise<Answers<Requests>> {
  const parts: Part[] = [];
  const results = requests.map((one, index) => claim(one, parts, 'requests' in one ? `g${index}` : undefined));
  const plan: Plan = {
    ...options,
    method: 'POST',
    address: '$batch',
    body: { requests: parts.map(printPart) },
    own: { prefer: 'continue-on-error' },
    read: ({ body, url }) => {
      const { responses } = body as { readonly responses: readonly PartAnswer[] };
      for (const part of parts)
        settle(
          part,
          responses.find(({ id }) => id === part.pending.id),
          url,
        );
    },
  };
  const place = placeOf(client);
  execute(place, repeatable(place, plan)).catch((error: unknown) => parts.forEach(({ reject }) => reject(error)));
  return (await Promise.all(results)) as Answers<Requests>;
}

function claim(request: object, parts: Part[], group: string | undefined): Promise<unknown> {
  if ('requests' in request) return Promise.all((request.requests as readonly object[]).map((one) => claim(one, parts, group)));
  const pending = pendingOf(request);
  if (!pending || pending.isSent) throw new TypeError('A batch takes requests made in the same call');
  const claimed = new Promise((resolve, reject) => parts.push({ pending, group, resolve, reject }));
  Object.assign(pending, { claimed, id: String(parts.length) });
  // The error is thrown by the batch, and by the request where somebody awaits it.
  for (const promise of [claimed, request]) if (promise instanceof Promise) promise.catch(() => undefined);
  return claimed;
}

function printPart({ pending: { id, plan }, group: atomicityGroup }: Part): object {
  const { method, address: url, own, headers, body } = plan;
  referred = [];
  const json = body === undefined ? body : (JSON.parse(JSON.stringify(body)) as object);
  const type = json && { 'content-type': 'application/json' };
  return {
    id,
    method,
    url,
    headers: { ...type, ...own, ...headers },
    body: json,
    atomicityGroup,
    dependsOn: referred.length ? referred : undefined,
  };
}

/** The response to a part (JSON Format 19.2). */
interface PartAnswer {
  readonly id: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

function settle({ pending: { plan }, resolve, reject }: Part, answer: PartAnswer | undefined, url: string): void {
  const { status = 424, body, headers } = answer ?? {};
  const received = { headers: new Headers(headers), body, url };
  if (status < 400) resolve(plan.read(received));
  else reject(errorOf({ ...received, status, request: `${plan.method} ${plan.address}` }, plan));
}
