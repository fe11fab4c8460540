import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { errors } from '../errors/catalogue.js';
import { type ODataError, renderError } from '../errors/odata-error.js';
import { isRefused, refuseConnection, securityHeaders } from '../protocol/connection.js';
import { httpLimits } from '../protocol/message.js';
import { closeLater } from './send-response.js';
import type { Observer } from './service.js';

const reasons: { readonly [status: number]: string } = {
  400: 'Bad Request',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};

type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** Answers requests that Node could not parse, and closes the connection. */
export function clientErrorHandler({ unreadable }: Observer): (failure: ClientError, socket: Duplex) => void {
  return (failure, socket) => {
    const status = answerClientError(failure, socket);
    if (status !== undefined) unreadable?.(status, failure.code);
  };
}

// The status of the answer; undefined where the client is gone or has been answered.
function answerClientError(failure: ClientError, socket: Duplex): number | undefined {
  if (failure.code === 'ECONNRESET') {
    socket.destroy();
    return undefined;
  }
  // Each further chunk of the same request is one more failure.
  if (isRefused(socket) || !socket.writable) {
    socket.end();
    return undefined;
  }
  refuseConnection(socket);
  closeLater(socket);
  const error = errorOf(failure);
  const id = randomUUID();
  const body = renderError(error, { requestId: id });
  const head = [
    `HTTP/1.1 ${error.status} ${reasons[error.status] ?? 'Bad Request'}`,
    'Content-Type: application/json;odata.metadata=minimal',
    'Content-Language: en',
    'OData-Version: 4.0',
    ...securityHeaders.map(([name, value]) => `${name}: ${value}`),
    `X-Request-Id: ${id}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  return error.status;
}

function errorOf({ code, rawPacket }: ClientError): ODataError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return isLongLine(rawPacket) ? errors.uriTooLong(httpLimits.requestLine) : errors.headTooLarge(httpLimits.head);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errors.requestTimeout();
  return code === 'HPE_INVALID_METHOD' ? errors.unknownMethod() : errors.malformedRequest();
}

// Node reports only that the head is too large; the last packet begins with the request line, unless that came earlier.
function isLongLine(packet: Buffer | undefined): boolean {
  const start = packet?.toString('latin1', 0, httpLimits.requestLine) ?? '';
  return /^[A-Z]+ [^\n]*$/.test(start);
}
