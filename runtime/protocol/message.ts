import { Readable } from 'node:stream';
import type { Recipient } from '../database/cancel.js';
import { giveBack, isLent } from '../response/byte-writer.js';
import { contentType, type PayloadFormat } from '../response/payload-format.js';

/** A request as the stages see it, independent of the web framework. */
export interface ODataRequest {
  readonly method: string;
  /** The path after the service root, still percent-encoded. */
  readonly path: string;
  /** The query after `?`, still percent-encoded; empty when there is none. */
  readonly query: string;
  /** A header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Reads the body up to the limit, by default that of a single request. */
  readonly body: (limit?: number) => Promise<Uint8Array>;
  /** The body as it arrives, readable once, with backpressure. Throws where it exceeds the limit. */
  readonly chunks: (limit: number) => AsyncIterable<Uint8Array>;
  readonly id: string;
  /** Whether the request came by https or from this machine. */
  readonly isPrivate?: () => boolean;
  /** In a batch only: the path that a reference such as `$1` resolves to. */
  readonly resolve?: (reference: string) => string | undefined;
  /** The client, which may have disconnected. */
  readonly recipient: Recipient;
}

/** An answer, complete or streamed. */
export type ODataResponse = WholeResponse | StreamedResponse;

/** An answer with a complete body, as most are. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer whose body is sent while it is produced. */
interface StreamedResponse extends Omit<WholeResponse, 'body'> {
  readonly body: Readable;
}

/** Whether an answer has a complete body. */
export function isWhole(response: ODataResponse): response is WholeResponse {
  return !(response.body instanceof Readable);
}

/**
 * An answer with its complete body, as a batch needs it, in memory of its own: the buffers that it was written in are
 * reused. `take` is told of the bytes of the body as they come, and may throw. Throws a failure of the stream.
 */
export async function wholeResponse(response: ODataResponse, take: (bytes: number) => void = () => undefined): Promise<WholeResponse> {
  if (!isWhole(response)) return { ...response, body: await collected(response.body, take) };
  const { body } = response;
  take(body?.length ?? 0);
  return body !== undefined && typeof body !== 'string' && isLent(body) ? { ...response, body: takenOver([body]) } : response;
}

async function collected(body: Readable, take: (bytes: number) => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    take(chunk.length);
  }
  return takenOver(chunks);
}

function takenOver(chunks: readonly Uint8Array[]): Buffer {
  const whole = Buffer.concat(chunks);
  for (const chunk of chunks) giveBack(chunk);
  return whole;
}

/** Sizes in bytes, and the number of header lines; the head of a request is its line and all headers. */
export const httpLimits = { requestLine: 16 * 1024, head: 32 * 1024, headerLines: 1_000, body: 256 * 1024 } as const;

/** Whether the request line for an address would exceed the limit. */
export function isTooLong(method: string, address: string): boolean {
  return method.length + address.length + ' HTTP/1.1 '.length > httpLimits.requestLine;
}

/** The text before and after the first separator; one part where there is none. */
export function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** The path without trailing slashes, in linear time: a path may consist of slashes only. */
export function withoutSlashes(path: string): string {
  return path.endsWith('/') ? path.replace(/(?<!\/)\/+$/, '') : path;
}

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

/** A JSON answer outside of the service root, which depends on the caller or on the present state: it must not be stored. */
export function unstoredJson(status: number, body: object, headers: Readonly<Record<string, string>> = {}): WholeResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
    body: JSON.stringify(body),
  };
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
