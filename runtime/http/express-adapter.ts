import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { ServerResponse } from 'node:http';
import { pipeline, type Readable, Writable } from 'node:stream';
import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import { policyHeader, recipientOf, refusalOf, refuseConnection, securityHeaders } from '../protocol/connection.js';
import {
  httpLimits,
  isTooLong,
  isWhole,
  type ODataRequest,
  type ODataResponse,
  splitOnce,
  type WholeResponse,
} from '../protocol/message.js';
import { giveBack, isLent } from '../response/byte-writer.js';
import { discardRest } from './linger.js';
import { type Outside, outsidesByPath } from './outside.js';
import { answering, errorResponse } from './respond.js';
import type { Answer, Observer, Service } from './service.js';

/** The handler of the service root, between Express and the service. */
export function odataHandler(service: Service, rootPath: string, answer: Answer, observer: Observer): RequestHandler {
  const handle = async (request: Request, response: Response): Promise<void> => {
    const started = performance.now();
    const odataRequest = readRequest(request, rootPath);
    const refused = refuse(request);
    const result = refused ? errorResponse(refused, odataRequest) : await answer(odataRequest, service);
    if (refused || observer.isDraining?.()) response.setHeader('Connection', 'close');
    deliver(result, odataRequest, response, {
      service,
      sent: () => observer.answered?.(odataRequest, result.status, performance.now() - started),
    });
  };
  // Express awaits what its layers return, so errors are passed on here.
  return (request, response, next) => void handle(request, response).catch(next);
}

/** Whether a request's path is the root, or below it. */
export function isBeneath({ path }: Request, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}

function refuse(request: Request): ODataError | undefined {
  const refusal = isTooLong(request.method, request.originalUrl) ? errors.uriTooLong(httpLimits.requestLine) : refusalOf(request);
  if (refusal !== undefined) refuseConnection(request.socket);
  return refusal;
}

/** Answers paths outside of the service root. */
export function notFoundHandler(rootPath: string, observer: Observer): RequestHandler {
  return (request, response) => {
    const started = performance.now();
    const odataRequest = readRequest(request, '');
    const result = errorResponse(errors.notFound('resource at this address', ` The service root is ${rootPath}.`), odataRequest);
    send(result, odataRequest, response);
    observer.answered?.(odataRequest, result.status, performance.now() - started, 'outside');
  };
}

/** Answers operators' endpoints; undefined for other paths. */
export type OperationsHandler = (method: string, path: string) => Promise<WholeResponse | undefined>;

/** Operators' endpoints, outside of the service root. */
export function operationsMiddleware(operations: OperationsHandler): RequestHandler {
  return async (request, response, next) => {
    const answer = await operations(request.method, request.path);
    if (answer === undefined) next();
    else send(answer, readRequest(request, ''), response);
  };
}

/** The surroundings of the answers outside of the service root. */
interface OutsideParts {
  readonly service: Service;
  readonly observer: Observer;
  /** Precedes the answers that are part of the service. */
  readonly guard: RequestHandler;
}

/** Paths that features answer. */
export function outsideHandler(outsides: readonly Outside[], { service, observer: { answered }, guard }: OutsideParts): RequestHandler {
  const handle = async (request: Request, response: Response, read: ODataRequest, { answer }: Outside): Promise<void> => {
    const started = performance.now();
    const refused = refuse(request);
    const result = refused ? errorResponse(refused, read) : await answering(read, service, answer);
    deliver(result, read, response, { service, sent: () => answered?.(read, result.status, performance.now() - started, 'outside') });
  };
  const outsideAt = outsidesByPath(outsides);
  return (request, response, next) => {
    const outside = outsideAt(request.path);
    if (outside === undefined) return next();
    const read = readRequest(request, '');
    if (outside.replaces?.(read) === false) return next();
    const proceed = (failure?: unknown): void => void (failure ? next(failure) : handle(request, response, read, outside).catch(next));
    if (outside.isGuarded) void guard(request, response, proceed);
    else proceed();
  };
}

/** An endpoint outside of the service root that accepts bodies. */
export function endpointHandler(
  path: string,
  answer: (request: ODataRequest) => Promise<WholeResponse>,
  observer: Observer,
): RequestHandler {
  return async (request, response) => {
    const started = performance.now();
    const read = readRequest(request, path);
    const refused = refuse(request);
    const result = refused ? errorResponse(refused, read) : await answer(read);
    send(result, read, response);
    observer.answered?.({ ...read, path: `${path}${read.path}` }, result.status, performance.now() - started);
  };
}

/** The answer to a token with too many requests. */
export function tooManyRequests(rootPath: string, observer: Observer): RequestHandler {
  return (request, response) => {
    const odataRequest = readRequest(request, isBeneath(request, rootPath) ? rootPath : '');
    const refused = errorResponse(errors.tooManyRequests(), odataRequest);
    send(refused, odataRequest, response);
    observer.answered?.(odataRequest, refused.status, 0);
  };
}

function readRequest(request: Request, rootPath: string): ODataRequest {
  // A proxy may send the absolute form (RFC 9112, 3.2.2).
  const target = request.originalUrl.replace(/^https?:\/\/[^/?]*/i, '');
  const [path = '', query] = splitOnce(target.slice(rootPath.length), '?');
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return {
    method: request.method,
    path,
    query: query ?? '',
    header,
    body: (limit) => readBody(request, limit),
    chunks: (limit) => readChunks(request, limit),
    id: requestId(header('x-request-id')),
    isPrivate: () => isPrivate(request),
    recipient: recipientOf(request.socket),
  };
}

// Express believes the headers of trusted proxies only. A proxy on this machine may have got the request by http.
function isPrivate({ secure, socket, headers }: Request): boolean {
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'via'].some(
    (name) => headers[name] !== undefined,
  );
  return secure || (!isForwarded && /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? ''));
}

// A harmless id of the client is echoed, so that both logs can be joined.
function requestId(sent: string | undefined): string {
  return sent !== undefined && /^[A-Za-z0-9._:-]{1,128}$/.test(sent) ? sent : randomUUID();
}

async function readBody(request: Request, limit: number = httpLimits.body): Promise<Uint8Array> {
  if (hasArrived(request) && request.readableLength <= limit) return takeArrived(request);
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(request, limit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

// A short body arrives with its header; waiting for its events takes longer than reading it.
function hasArrived(request: Request): boolean {
  const { destroyed, readableLength, readableFlowing } = request;
  return !destroyed && readableFlowing === null && readableLength > 0 && readableLength === Number(request.headers['content-length']);
}

// Reads to the end of the stream, too.
function takeArrived(request: Request): Buffer {
  const body = request.read() as Buffer; // Without an encoding it returns a buffer.
  request.resume();
  return body;
}

async function* readChunks(request: Request, limit: number): AsyncGenerator<Uint8Array> {
  // A body whose Content-Length is too large is rejected unread.
  if (Number(request.headers['content-length']) > limit) throw errors.bodyTooLarge(limit);
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw errors.bodyTooLarge(limit);
      yield chunk;
    }
  } catch (failure) {
    // A disconnected client is no failure of the service, and nobody reads the answer.
    if (isGone(failure)) throw errors.bodyEndedEarly();
    throw failure;
  }
}

function deliver(result: ODataResponse, request: ODataRequest, response: Response, { service, sent }: Omit<Sending, 'requestId'>): void {
  if (isWhole(result)) {
    send(result, request, response);
    return sent();
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
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (name === 'Vary' && response.hasHeader(name)) head.push(name, `${String(response.getHeader(name))}, ${value}`);
    else head.push(name, value);
  }
  return head;
}

/** The context of sending a stream. */
export interface Sending {
  readonly service: Pick<Service, 'readerTimeout' | 'logFailure'>;
  readonly requestId: string;
  /** Called when sending has ended, in any way. */
  readonly sent: () => void;
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
    if (failure && !isGone(failure)) logFailure(failure, requestId);
    sent();
  });
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

// A disconnected client is no failure of the service. From Node 22 on, a write that waited fails with ECANCELED.
function isGone(failure: unknown): boolean {
  const { code = '' } = failure as NodeJS.ErrnoException;
  return ['ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE', 'ECANCELED', errors.clientGone.code].includes(code);
}
