import { createHash } from 'node:crypto';
import type { ODataRequest, WholeResponse } from '../protocol/message.js';
import { matchesETag } from '../protocol/precondition.js';

/** An immutable document, ready to be sent. */
export interface ServedDocument {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Encodes and hashes a document once. */
export function servedDocument(content: string | Buffer, headers: Readonly<Record<string, string>> = {}): ServedDocument {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return withHeaders({ bytes: Buffer.from(content), etag: `W/"${hash}"` }, headers);
}

/** The same document with other headers. */
export function withHeaders({ bytes, etag }: Omit<ServedDocument, 'headers'>, headers: ServedDocument['headers']): ServedDocument {
  return { bytes, etag, headers: { ETag: etag, ...headers } };
}

/** The answer with a document; 304 for a client that has it. */
export function documentResponse(request: ODataRequest, { bytes, etag, headers }: ServedDocument): WholeResponse {
  const known = request.header('if-none-match');
  if (known !== undefined && matchesETag(known, etag)) return { status: 304, headers };
  return { status: 200, headers, body: bytes };
}
