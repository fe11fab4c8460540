import { Readable } from 'node:stream';
import type { Recipient } from '../database/recipient.js';

/** A request as the stages see it; nothing of the web framework is in it. */
export interface ODataRequest {
  readonly method: string;
  /** What follows the service root, still percent-encoded. */
  readonly path: string;
  /** What follows `?`, still percent-encoded; empty when there is none. */
  readonly query: string;
  /** A header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Reads the body, at most as many bytes as the limit says; by default that of a single request. */
  readonly body: (limit?: number) => Promise<Uint8Array>;
  /** The body as it arrives, once; a client that is too fast waits. It ends with a refusal where it is larger than the limit. */
  readonly chunks: (limit: number) => AsyncIterable<Uint8Array>;
  readonly id: string;
  /** Of a request in a batch: the path that a reference such as `$1` stands for. */
  readonly resolve?: (reference: string) => string | undefined;
  /** Whether the client still waits for the answer. */
  readonly recipient: Recipient;
}

/** An answer. */
export type ODataResponse = WholeResponse | StreamedResponse;

/** An answer that is there as a whole, as most are. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer whose body is sent while it is made. */
interface StreamedResponse extends Omit<WholeResponse, 'body'> {
  readonly body: Readable;
}

/** Tells the two apart. */
export function isWhole(response: ODataResponse): response is WholeResponse {
  return !(response.body instanceof Readable);
}
