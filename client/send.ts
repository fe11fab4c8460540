import { ConflictError, Expired, ServiceError, type Failure } from './errors.js';
import type { Schema } from './model.js';
import type { ClientOptions } from './options.js';
import { receive } from './receive.js';
import type { Plan } from './request.js';
import { withRetries } from './retry.js';

/** A client without its sets: the service and how to reach it. */
export interface Connection {
  /** The service root, with a slash at its end. */
  readonly root: string;
  readonly schema: Schema<unknown>;
  readonly options: ClientOptions;
}

/** Sends a request and reads its response. */
export async function execute<R>(connection: Connection, plan: Plan<R>): Promise<R> {
  return plan.read(await send(connection, plan, receive));
}

/** Sends a request until it succeeds or fails for good; throws a ServiceError for an answer that is an error. */
export async function send<R>(connection: Connection, plan: Plan, read: (response: Response, url: string) => R | Promise<R>): Promise<R> {
  const { options } = connection;
  const url = urlOf(connection, plan.address);
  const isIdempotent = !/^P(OST|ATCH)$/.test(plan.method);
  const isStream = plan.bytes instanceof ReadableStream;
  const headers = {
    ...headersOf(connection, plan),
    ...(!isIdempotent && options.repeatable && repeatability()),
    ...options.headers,
    ...plan.own,
    ...plan.headers,
  };
  return withRetries(async (attempt) => read(await sendOnce(connection, plan, { url, headers, attempt }), url), {
    retries: options.retries ?? 2,
    // The bytes of a stream are gone after the first try.
    isRepeatable: (isIdempotent || options.repeatable === true) && !isStream,
    signal: plan.signal,
  });
}

function headersOf({ schema }: Connection, { body }: Plan): Record<string, string> {
  return {
    Accept: `application/json${schema.exact ? ';IEEE754Compatible=true' : ''}`,
    'OData-MaxVersion': '4.01',
    ...(body !== undefined && { 'Content-Type': `application/json${schema.exact ? ';IEEE754Compatible=true' : ''}` }),
  };
}

function repeatability(): Record<string, string> {
  return { 'Repeatability-Request-ID': crypto.randomUUID(), 'Repeatability-First-Sent': new Date().toUTCString() };
}

// The token goes to the service only.
function urlOf({ root, options }: Connection, address: string): string {
  const { origin, href } = new URL(address, root);
  if (origin === new URL(root).origin || options.origins?.includes(origin)) return href;
  throw new Error(`The service links to ${origin}; allow it with the option origins`);
}

/** What all attempts have in common, and the number of this one, from 1. */
interface Attempt {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly attempt: number;
}

async function sendOnce({ options }: Connection, plan: Plan, { url, headers, attempt }: Attempt): Promise<Response> {
  const { token, onRequest, fetch: fetchOne = fetch } = options;
  const { method, body, bytes, signal = null } = plan;
  const bearer = typeof token === 'function' ? await token() : token;
  const started = Date.now();
  let response: Response | undefined;
  try {
    response = await fetchOne(url, {
      method,
      headers: bearer ? { ...headers, Authorization: `Bearer ${bearer}` } : headers,
      body: bytes ?? JSON.stringify(body) ?? null,
      signal,
      duplex: 'half',
    } as RequestInit);
  } finally {
    onRequest?.({ method, url, attempt, status: response?.status, milliseconds: Date.now() - started });
  }
  if (response.ok) return response;
  throw errorOf({ ...(await receive(response, url)), request: `${method} ${url}` }, plan);
}

/** The error of a failed response. */
export function errorOf(failure: Failure, { body, current }: Plan): ServiceError {
  const { status } = failure;
  if (status === 412 && current) return new ConflictError(failure, body, current);
  return new (status === 410 ? Expired : ServiceError)(failure);
}
