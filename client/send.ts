import { Expired, ServiceError, type Failure } from './errors.js';
import type { Schema } from './model.js';
import type { ClientOptions, NumberForm } from './options.js';
import { receive } from './receive.js';
import type { Plan } from './request.js';
import { withRetries } from './retry.js';

/** A client without its sets: the service and how to reach it. */
export interface Connection {
  /** The service root, with a slash at its end. */
  readonly root: string;
  readonly schema: Schema<unknown>;
  readonly options: ClientOptions<NumberForm | undefined>;
  /** The position of the last write through any set, which later reads must not be older than. */
  readonly last: { position?: string | undefined };
}

/** Sends a request and reads its response. */
export async function execute<R>(connection: Connection, plan: Plan<R>): Promise<R> {
  return plan.read(await send(connection, plan, receive));
}

/** Sends a request until it succeeds or fails for good; throws a ServiceError for an answer that is an error. */
export function send<R>(connection: Connection, plan: Plan, read: (response: Response, url: string) => R | Promise<R>): Promise<R> {
  const { address, method, signal, retries = connection.options.retries ?? 2, isRepeatable = !/^P[OA]/.test(method) } = plan;
  const url = urlOf(connection, address);
  const attempt = async (number: number): Promise<R> => read(await fetchOnce(connection, plan, url, number), url);
  return withRetries(attempt, retries, isRepeatable, signal);
}

/** The headers of a request. Later ones replace earlier ones, in whatever case callers write their names. */
export function headersOf({ options, last }: Connection, { body, own, headers }: Plan, token?: string): Headers {
  const json = `application/json${options.decimals === 'string' ? ';IEEE754Compatible=true' : ''}`;
  const all = {
    accept: json,
    'odata-maxversion': '4.01',
    'gable-position': last.position,
    'content-type': body && json,
    authorization: token && `Bearer ${token}`,
    ...own,
    ...options.headers,
    ...headers,
  };
  const merged = new Headers();
  for (const [name, value] of Object.entries(all)) if (value) merged.set(name, value as string);
  return merged;
}

// The token goes to the service only.
function urlOf({ root, options }: Connection, address: string): string {
  const { origin, href } = new URL(address, root);
  if (origin === new URL(root).origin || options.origins?.includes(origin)) return href;
  throw new Error(`${origin} is not in origins`);
}

async function fetchOnce(connection: Connection, plan: Plan, url: string, attempt: number): Promise<Response> {
  const { last } = connection;
  const { token, onRequest, fetch: fetchOne = fetch } = connection.options;
  const { method, body, bytes, signal } = plan;
  const headers = headersOf(connection, plan, typeof token === 'function' ? await token() : token);
  const started = Date.now();
  let status: number | undefined;
  try {
    const response = await fetchOne(url, { method, headers, body: bytes ?? JSON.stringify(body), signal, duplex: 'half' } as RequestInit);
    ({ status } = response);
    // Of writes that are answered in another order, the later one: its text is greater.
    last.position = [last.position ?? '', response.headers.get('gable-position') ?? ''].sort()[1];
    if (response.ok) return response;
    throw errorOf({ ...(await receive(response, url)), status, request: `${method} ${url}` }, plan);
  } finally {
    onRequest?.({ method, url, attempt, status, milliseconds: Date.now() - started });
  }
}

/** The error of a failed response. */
export function errorOf(failure: Failure, plan: Plan): ServiceError {
  return plan.errorOf?.(failure) ?? new (failure.status === 410 ? Expired : ServiceError)(failure);
}
