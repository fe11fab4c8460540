import { createHash } from 'node:crypto';
import type { ODataRequest, WholeResponse } from '../protocol/message.js';
import { matchesETag } from '../protocol/precondition.js';

/** An immutable document, ready to be sent. */
export interface ServedDocument {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Encodes and hashes a document once. */
export function servedDocument(content: string | Buffer): ServedDocument {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { bytes: Buffer.from(content), etag: `W/"${hash}"` };
}

/** The answer with a document; 304 for a client that has it. */
export function documentResponse(
  request: ODataRequest,
  { bytes, etag }: ServedDocument,
  headers: Readonly<Record<string, string>>,
): WholeResponse {
  const head = { ...headers, ETag: etag };
  const known = request.header('if-none-match');
  if (known !== undefined && matchesETag(known, etag)) return { status: 304, headers: head };
  return { status: 200, headers: head, body: bytes };
}
