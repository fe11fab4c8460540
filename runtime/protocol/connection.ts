import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { Recipient } from '../database/cancel.js';
import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import { excerpt } from '../errors/suggest.js';
import { httpLimits } from './message.js';
import { memoized } from '../edm/memoized.js';

/** The header that limits what a page may load. */
export const policyHeader = 'Content-Security-Policy';

/** Security headers of every answer, those of `helmet` for an API: no page, script or frame. HSTS is set by whoever terminates TLS. */
export const securityHeaders: readonly (readonly [name: string, value: string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  [policyHeader, "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
];

/** The client at the other end of a connection, shared by its requests. */
export const recipientOf = memoized((socket: Socket): Recipient => {
  const listeners = new Set<() => void>();
  socket.once('close', () => listeners.forEach((listener) => listener()));
  return {
    isGone: () => socket.destroyed,
    onGone: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
});

// Bytes after a rejected request on its connection may be anything, and get no answer.
const refused = new WeakSet<Duplex>();

/** Whether the connection accepts no further requests. */
export function isRefused(socket: Duplex): boolean {
  return refused.has(socket);
}

/** Marks a connection as accepting no further requests. */
export function refuseConnection(socket: Duplex): void {
  refused.add(socket);
}

// Request targets for an origin server, and a host with its port (RFC 9112, 3.2; RFC 3986, 3.2).
const targets = /^(?:\/|https?:\/\/)/i;
const hosts = /^(?:\[[\da-f:.]*\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** The error for a request whose head this server does not take. */
export function refusalOf(request: IncomingMessage): ODataError | undefined {
  // Node keeps the first lines and drops the others without a word, an If-Match among them.
  if (request.rawHeaders.length > 2 * httpLimits.headerLines) return errors.tooManyHeaders(httpLimits.headerLines);
  const { expect } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return errors.expectationFailed(excerpt(expect));
  return refusalOfAmbiguous(request);
}

/** The error for a request that a proxy could read differently (RFC 9112, 3.2 and 11.2; RFC 6750, 2); Node rejects faulty framing. */
function refusalOfAmbiguous({ httpVersion, rawHeaders, headers, url = '' }: IncomingMessage): ODataError | undefined {
  if (!targets.test(url) || !hosts.test(headers.host ?? '')) return errors.malformedRequest();
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return errors.malformedRequest();
  let count = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // The length excludes nearly all headers.
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding' && rawHeaders[index + 1]?.toLowerCase() !== 'chunked')
      return errors.malformedRequest();
  }
  // A request of HTTP/1.1 has exactly one.
  if (count > 1 || (count === 0 && httpVersion === '1.1')) return errors.malformedRequest();
  if (authorizations > 1) return repeatedAuthorization();
  return undefined;
}

// RFC 6750, 3.1: a request that repeats a parameter is an invalid one.
function repeatedAuthorization(): ODataError {
  return errors
    .unauthenticated('the Authorization header is repeated')
    .withHeaders({ 'WWW-Authenticate': 'Bearer realm="gable", error="invalid_request"' });
}

/** Whether a failure is that of a client that disconnected. From Node 22 on, a write that waited fails with ECANCELED. */
export function isDisconnection(failure: unknown): boolean {
  const { code = '' } = failure as NodeJS.ErrnoException;
  return ['ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE', 'ECANCELED', errors.clientGone.code].includes(code);
}
