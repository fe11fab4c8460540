import type { ServerResponse, IncomingMessage } from 'node:http';
import { pipeline, type Readable, Writable, type Duplex } from 'node:stream';
import type { Response } from 'express';
import { errors } from '../errors/catalogue.js';
import { isDisconnection, policyHeader, refuseConnection, securityHeaders } from '../protocol/connection.js';
import { isWhole, type ODataRequest, type ODataResponse, type WholeResponse } from '../protocol/message.js';
import { giveBack, isLent } from '../response/byte-writer.js';
import type { CutBy, Service } from './service.js';

/** Sends an answer. */
export function deliver(result: ODataResponse, request: ODataRequest, response: Response, sending: Omit<Sending, 'requestId'>): void {
  const { service, sent } = sending;
  if (isWhole(result)) {
    send(result, request, response);
    return sent(response.destroyed ? 'client' : undefined);
  }
  response.writeHead(result.status, headOf(result, request, response));
  sendStream(result.body, response, { service, requestId: request.id, sent });
}

function send(result: WholeResponse, request: ODataRequest, response: Response): void {
  const body = typeof result.body === 'string' ? Buffer.from(result.body, 'utf8') : result.body;
  const head = headOf(result, request, response);
  // Media streams set their own length.
  if (body && result.headers['Content-Length'] === undefined) head.push('Content-Length', String(body.length));
  // Node discards an unread body, but not the rest of a partly read one, which would be parsed as the next request.
  const { readableDidRead, complete } = response.req;
  const isUnread = result.status === 413 || result.status === 408 || (readableDidRead && !complete);
  if (isUnread && result.headers['Connection'] === undefined) head.push('Connection', 'close');
  const closes = isUnread || !response.shouldKeepAlive || response.hasHeader('Connection') || result.headers['Connection'] !== undefined;
  response.writeHead(result.status, head);
  // The callback means that the system has all bytes; it is not called for a disconnected client.
  const written = body !== undefined && isLent(body) ? () => giveBack(body) : undefined;
  if (complete || !closes) return void response.end(body, written);
  // A body that nobody reads any more must not be parsed as a request.
  refuseConnection(response.req.socket);
  response.flushHeaders();
  if (body !== undefined) response.write(body, written);
  discardRest(response.req, () => response.end());
}

const namesAndValues = securityHeaders.flat();
const withoutPolicy = securityHeaders.filter(([name]) => name !== policyHeader).flat();

// Alternating names and values, which Node writes without building an object.
function headOf({ headers }: ODataResponse, { id }: ODataRequest, response: Response): string[] {
  const head = ['X-Request-Id', id, ...(headers[policyHeader] === undefined ? namesAndValues : withoutPolicy)];
  const vary = (response.getHeader('Vary') ?? response.locals['vary']) as string | undefined; // Both are set by corsHandler.
  for (const name in headers) {
    const value = headers[name] ?? '';
    head.push(name, name === 'Vary' && vary !== undefined ? `${vary}, ${value}` : value);
  }
  if (vary !== undefined && headers['Vary'] === undefined) head.push('Vary', vary);
  return head;
}

/** The context of sending a stream. */
export interface Sending {
  readonly service: Pick<Service, 'readerTimeout' | 'logFailure'>;
  readonly requestId: string;
  /** Called when the answer has been handed over, or its stream has ended, with who closed the connection before. */
  readonly sent: (cutBy?: CutBy) => void;
}

/**
 * Sends a body while it is produced, at the client's pace. A failure is logged and aborts the connection, so that the
 * client notices the truncation (protocol 9.5, "In-Stream Errors").
 */
export function sendStream(body: Readable, response: ServerResponse, { service, requestId, sent }: Sending): void {
  const { readerTimeout, logFailure } = service;
  // Node's timeout applies only while nothing is read, and is reset for the connection's next request.
  response.setTimeout(readerTimeout, () => body.destroy(errors.readerTooSlow(readerTimeout)));
  pipeline(body, sinkOf(response), (failure) => {
    if (failure && !isDisconnection(failure)) logFailure(failure, requestId);
    sent(failure ? cutByOf(failure) : undefined);
  });
}

function cutByOf(failure: NodeJS.ErrnoException): CutBy {
  return isDisconnection(failure) || failure.code === errors.readerTooSlow.code ? 'client' : 'service';
}

// One chunk at a time; its buffer is reused when the system has it.
function sinkOf(response: ServerResponse): Writable {
  const sink = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _, done) => {
      response.write(chunk, (failure) => {
        if (!failure) giveBack(chunk);
        done(failure);
      });
    },
    final: (done) => void response.end(done),
    destroy: (failure, done) => {
      if (failure) response.destroy();
      done(failure);
    },
  });
  response.once('close', () => sink.destroy(response.writableFinished ? undefined : errors.clientGone()));
  return sink;
}

/** Milliseconds that the rest of an answered request is read for: between two chunks, and in all. */
const patience = { pause: 2_000, total: 30_000 } as const;

/**
 * Reads and discards the rest of a request, within bounds, before its connection is closed. The system resets a
 * connection that is closed with unread bytes, and the client loses the answer (RFC 9112, 9.6).
 */
function discardRest(request: IncomingMessage, done: () => void): void {
  const end = (): void => {
    clearTimeout(paused);
    clearTimeout(late);
    request.off('end', end).off('close', end);
    done();
  };
  const paused = setTimeout(end, patience.pause);
  const late = setTimeout(end, patience.total);
  request.once('end', end).once('close', end);
  request.on('data', () => paused.refresh()).resume();
}

/** Closes a connection that has had its last answer, and whose rest the parser discards. */
export function closeLater(socket: Duplex): void {
  const late = setTimeout(() => socket.destroy(), patience.total).unref();
  socket.once('close', () => clearTimeout(late));
}
