import { createHash } from 'node:crypto';

/** An immutable document, ready to be sent. */
export interface ServedDocument {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Encodes and hashes a document once. */
export function servedDocument(text: string): ServedDocument {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { bytes: Buffer.from(text, 'utf8'), etag: `W/"${hash}"` };
}
