import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { BlockList } from 'node:net';
import { addressFault, checkedLookup, type Resolve } from './address.js';
import type { Payload } from './formats.js';

/** How requests to consumers are sent. */
export interface SendSettings {
  /** Networks that may be reached although they are not public. */
  readonly allowed: BlockList;
  /** Milliseconds until the answer's headers. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
  readonly resolve?: Resolve;
}

/** The answer of a consumer, or the reason why there is none. */
export type Reply =
  | { readonly status: number; readonly headers: Readonly<Record<string, unknown>> }
  | { readonly status: undefined; readonly reason: string };

/** Bytes of an answer's body that are read, and discarded. */
const longestBody = 64 * 1024;

/** Sends a request to a consumer. It connects only to addresses that were checked; no redirects, no proxies. */
export function send(address: string, { method, headers, body }: Payload, settings: SendSettings): Promise<Reply> {
  const { allowed, timeout, resolve, signal } = settings;
  const fault = addressFault(address, allowed);
  if (fault !== undefined) return Promise.resolve({ status: undefined, reason: `the address is refused: ${fault}` });
  return new Promise((settle) => {
    const request = requestHttps(address, {
      method,
      headers: { ...headers, 'User-Agent': 'Gable', 'Content-Length': Buffer.byteLength(body) },
      // A new connection for each request, so that its address and certificate are checked each time.
      agent: false,
      lookup: checkedLookup(allowed, resolve),
      // An environment variable could switch it off for the process.
      rejectUnauthorized: true,
      ...(signal && { signal }),
    });
    const late = setTimeout(() => request.destroy(new Error(`no answer within ${timeout} ms`)), timeout);
    request.on('error', (failure) => settle({ status: undefined, reason: reasonOf(failure) }));
    request.on('close', () => clearTimeout(late));
    // Without a listener, the connection would end without an answer and without an error.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      settle({ status: undefined, reason: 'the consumer switched to another protocol' });
    });
    request.on('response', (response) => {
      settle({ status: response.statusCode ?? 0, headers: response.headers });
      discard(response);
    });
    request.end(body);
  });
}

function discard(response: IncomingMessage): void {
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > longestBody) response.destroy();
  });
  // The answer's status is known; how its body ends is of no account.
  response.on('error', () => undefined);
}

// Where several addresses were tried, the first one's failure.
function reasonOf(failure: NodeJS.ErrnoException): string {
  const { message, code } = failure instanceof AggregateError ? ((failure.errors[0] ?? failure) as NodeJS.ErrnoException) : failure;
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}
