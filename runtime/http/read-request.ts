import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { errors } from '../errors/catalogue.js';
import { isDisconnection, recipientOf } from '../protocol/connection.js';
import { httpLimits, type ODataRequest } from '../protocol/message.js';

/** Express's request as the stages see it; its path is that after the root. */
export function readRequest(request: Request, rootPath: string): ODataRequest {
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

// Express believes the headers of trusted proxies only. A proxy on this machine may have got the request by http; one that
// is named as such says so, or it is not known.
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
