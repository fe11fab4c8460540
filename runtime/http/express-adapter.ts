import type { Request, RequestHandler, Response } from 'express';
import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import { refusalOf, refuseConnection, isDisconnection, recipientOf } from '../protocol/connection.js';
import { httpLimits, isTooLong, type WholeResponse, type ODataRequest } from '../protocol/message.js';
import { nothingHere, type Outside, outsidesByPath } from './outside.js';
import { answering, errorResponse } from './respond.js';
import { deliver } from './send-response.js';
import type { Answer, CutBy, Observer, Service } from './service.js';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The service behind all handlers, and the observer of their answers. */
export interface Surroundings {
  readonly service: Service;
  readonly observer: Observer;
}

interface Part {
  /** The beginning of the addresses, which the paths of its requests lack. */
  readonly root: string;
  readonly answer: Answer;
  /** Its label in metrics; otherwise the resource of the path. */
  readonly resource?: string;
}

/** The handler of a part of the addresses, between Express and the service. */
export function handlerOf(part: Part, surroundings: Surroundings): RequestHandler {
  // Express awaits what its layers return, so errors are passed on here.
  return (request, response, next) => void handle(request, response, part, surroundings).catch(next);
}

async function handle(request: Request, response: Response, part: Part, { service, observer }: Surroundings): Promise<void> {
  const { root, answer, resource } = part;
  const started = performance.now();
  const read = readRequest(request, root);
  const refused = refusalAt(request);
  const result = refused ? errorResponse(refused, read) : await answer(read, service);
  if (refused || observer.isDraining?.()) response.setHeader('Connection', 'close');
  const sent = (cutBy?: CutBy): void =>
    observer.answered?.(read, { status: result.status, milliseconds: performance.now() - started, cutBy, resource });
  deliver(result, read, response, { service, sent });
}

function refusalAt(request: Request): ODataError | undefined {
  const refusal = isTooLong(request.method, request.originalUrl) ? errors.uriTooLong(httpLimits.requestLine) : refusalOf(request);
  if (refusal !== undefined) refuseConnection(request.socket);
  return refusal;
}

// Whether a request's path is the root, or below it.
function isBeneath({ path }: Request, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}

interface Parts {
  readonly rootPath: string;
  /** The handler of the service root and all beneath it. */
  readonly odata: RequestHandler;
  readonly outsides: readonly Outside[];
  /** Precedes the answers that are part of the service. */
  readonly guard: RequestHandler;
}

/** The handler that finds the part of a path: answers of features first, which may replace the service document. */
export function handlerByPath({ rootPath, odata, outsides, guard }: Parts, surroundings: Surroundings): RequestHandler {
  const outsideAt = outsidesByPath(outsides);
  const guarded = inTurn([guard, odata]);
  return (request, response, next) => {
    const outside = outsideAt(request.path);
    if (outside !== undefined && outside.replaces?.(readRequest(request, '')) !== false)
      outsideHandler(outside, surroundings, guard)(request, response, next);
    else if (isBeneath(request, rootPath)) guarded(request, response, next);
    else next();
  };
}

function outsideHandler({ answer, isGuarded }: Outside, surroundings: Surroundings, guard: RequestHandler): RequestHandler {
  const answered: Answer = (request, service) => answering(request, service, answer);
  const handler = handlerOf({ root: '', answer: answered, resource: 'outside' }, surroundings);
  return isGuarded ? inTurn([guard, handler]) : handler;
}

/** One handler for several: each further layer of Express costs as much as reading a request's headers. */
export function inTurn(handlers: readonly RequestHandler[]): RequestHandler {
  return handlers.reduceRight(
    (following, handler) => (request, response, next) =>
      handler(request, response, (failure?: unknown) => (failure === undefined ? following(request, response, next) : next(failure))),
  );
}

/** Answers all paths that nothing else answers. */
export function notFoundHandler(surroundings: Surroundings): RequestHandler {
  const answer: Answer = (read) => Promise.resolve(errorResponse(nothingHere(surroundings.service), read));
  return handlerOf({ root: '', resource: 'outside', answer }, surroundings);
}

/** The answer to a token with too many requests. */
export function tooManyRequests(rootPath: string, limit: number, surroundings: Surroundings): RequestHandler {
  const answer: Answer = (read) => Promise.resolve(errorResponse(errors.tooManyRequests(limit), read));
  return (request, response, next) => {
    const root = isBeneath(request, rootPath) ? rootPath : '';
    handlerOf({ root, answer }, surroundings)(request, response, next);
  };
}

/** Answers operators' endpoints; undefined for other paths. */
export type OperationsHandler = (method: string, path: string) => Promise<WholeResponse | undefined>;

/** Operators' endpoints, outside of the service root. */
export function operationsMiddleware(operations: OperationsHandler, service: Service): RequestHandler {
  return async (request, response, next) => {
    const answer = await operations(request.method, request.path);
    if (answer === undefined) return next();
    const read = readRequest(request, '');
    const refused = refusalAt(request);
    if (refused) response.setHeader('Connection', 'close');
    deliver(refused ? errorResponse(refused, read) : answer, read, response, { service, sent: () => undefined });
  };
}

/** Express's request as the stages see it; its path is that after the root. */
function readRequest(request: Request, rootPath: string): ODataRequest {
  // A proxy may send the absolute form (RFC 9112, 3.2.2).
  const target = request.originalUrl.startsWith('/') ? request.originalUrl : request.originalUrl.replace(/^https?:\/\/[^/?]*/i, '');
  const end = target.indexOf('?', rootPath.length);
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return {
    method: request.method,
    path: end < 0 ? target.slice(rootPath.length) : target.slice(rootPath.length, end),
    query: end < 0 ? '' : target.slice(end + 1),
    header,
    body: (limit) => readBody(request, limit),
    chunks: (limit) => readChunks(request, limit),
    id: requestId(header('x-request-id')),
    isPrivate: () => isPrivate(request),
    recipient: recipientOf(request.socket),
  };
}

// Express believes `X-Forwarded-Proto` of trusted proxies only. A connection from this machine is private too, unless a proxy
// may have forwarded it, which may have received the request by http.
function isPrivate({ secure, socket: { remoteAddress = '' }, headers, app }: Request): boolean {
  const isProxy = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'via'].some(
    (name) => headers[name] !== undefined,
  );
  return secure || (!isForwarded && /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress) && !isProxy(remoteAddress, 0));
}

// A harmless id of the client is echoed, so that both logs can be joined.
function requestId(sent: string | undefined): string {
  return sent !== undefined && /^[A-Za-z0-9._:-]{1,128}$/.test(sent) ? sent : randomUUID();
}

async function readBody(request: IncomingMessage, limit: number = httpLimits.body): Promise<Uint8Array> {
  if (hasArrived(request) && request.readableLength <= limit) return takeArrived(request);
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(request, limit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

// A short body arrives with its header; waiting for its events takes longer than reading it.
function hasArrived(request: IncomingMessage): boolean {
  const { destroyed, readableLength, readableFlowing } = request;
  return !destroyed && readableFlowing === null && readableLength > 0 && readableLength === Number(request.headers['content-length']);
}

// Reads to the end of the stream, too.
function takeArrived(request: IncomingMessage): Buffer {
  const body = request.read() as Buffer; // Without an encoding it returns a buffer.
  request.resume();
  return body;
}

async function* readChunks(request: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
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
    if (isDisconnection(failure)) throw errors.bodyEndedEarly();
    throw failure;
  }
}
