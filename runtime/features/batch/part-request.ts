import { errors } from '../../errors/catalogue.js';
import { httpLimits, isTooLong, type ODataRequest } from '../../protocol/message.js';
import type { BatchPart } from './batch.js';
import type { Outcomes } from './outcomes.js';
import { resolvePart, type BatchAddress } from './part-url.js';

/** Headers of the batch that apply to its parts: credentials and versions. */
const inherited: ReadonlySet<string> = new Set(['authorization', 'odata-version', 'odata-maxversion']);

/** A part as a request; it has the caller of the batch. */
export function partRequest(part: BatchPart, batch: ODataRequest, outcomes: Outcomes, address: BatchAddress): ODataRequest {
  const { path, query } = resolvePart(part, outcomes, address);
  const sent = part.headers.get('authorization');
  if (sent !== undefined && sent !== batch.header('authorization'))
    throw errors.badPart('a request of a batch uses the token of the batch');
  if (isTooLong(part.method, `${path}?${query}`)) throw errors.uriTooLong(httpLimits.requestLine);
  return {
    method: part.method,
    path,
    query,
    header: (name) => headerOf(part, name, outcomes) ?? (inherited.has(name) ? batch.header(name) : undefined),
    body: (limit = httpLimits.body) => bodyOf(part, limit),
    chunks: (limit) => chunksOf(part, limit),
    id: batch.id,
    recipient: batch.recipient,
    resolve: (reference) => outcomes.parts.get(reference.slice(1))?.path,
  };
}

const conditions: ReadonlySet<string> = new Set(['if-match', 'if-none-match']);

// `$1` resolves to the ETag in the answer to that request (protocol 11.7.3.2).
function headerOf({ headers }: BatchPart, name: string, { parts }: Outcomes): string | undefined {
  const value = headers.get(name);
  if (value === undefined || !conditions.has(name) || !value.startsWith('$')) return value;
  const etag = parts.get(value.slice(1))?.response.headers['ETag'];
  if (etag === undefined) throw errors.badPart(`${value.slice(0, 64)} does not refer to a response with an ETag`);
  return etag;
}

function bodyOf({ body }: BatchPart, limit: number): Promise<Uint8Array> {
  if (body !== undefined && body.length > limit) return Promise.reject(errors.bodyTooLarge(limit));
  return Promise.resolve(body ?? new Uint8Array());
}

async function* chunksOf(part: BatchPart, limit: number): AsyncGenerator<Uint8Array> {
  yield await bodyOf(part, limit);
}
