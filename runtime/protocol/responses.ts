import { Readable } from 'node:stream';
import type { PayloadFormat } from '../response/payload-format.js';
import { contentType } from '../response/payload-format.js';
import type { ODataResponse, WholeResponse } from './message.js';

/** The Vary header: the request headers that answers depend on (protocol 8.2.7 and 8.2.8). */
const vary = 'Accept, OData-MaxVersion, Prefer';

/** A JSON answer in a negotiated format. */
export function jsonResponse(
  status: number,
  body: string | Uint8Array | Readable,
  format: PayloadFormat,
  headers: Readonly<Record<string, string>> = {},
): ODataResponse {
  const head = headResponse(format, headers).headers;
  return body instanceof Readable ? { status, body, headers: head } : { status, body, headers: head };
}

/** The headers of a JSON answer to HEAD, without length, since no body is produced. */
export function headResponse(format: PayloadFormat, headers: Readonly<Record<string, string>>): WholeResponse {
  return { status: 200, headers: { 'Content-Type': contentType(format), 'OData-Version': format.version, Vary: vary, ...headers } };
}

/** A plain-text answer, of `/$count` and `/$value`. */
export function textResponse(body: string, version: string, headers: Readonly<Record<string, string>> = {}): ODataResponse {
  return { status: 200, body, headers: { 'Content-Type': 'text/plain;charset=utf-8', 'OData-Version': version, Vary: vary, ...headers } };
}

/** An answer without a body. */
export function emptyResponse(status: number, version: string, headers: Readonly<Record<string, string>> = {}): ODataResponse {
  return { status, headers: { 'OData-Version': version, Vary: vary, ...headers } };
}
