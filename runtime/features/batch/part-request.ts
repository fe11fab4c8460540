import { errors } from '../../errors/catalogue.js';
import { httpLimits, isTooLong, type ODataRequest, splitOnce } from '../../protocol/message.js';
import { pathOfUrl, type ServiceAddress } from '../../protocol/own-address.js';
import { encodeNonAscii, percentDecode } from '../../uri/decode-url.js';
import { pathTarget } from '../../uri/parse-key.js';
import { type BatchPart, isSuccess, type Outcomes } from './batch.js';

/** The address of a part: the path after the service root and the query string, both percent-encoded. */
interface PartAddress {
  readonly path: string;
  readonly query: string;
}

/** Resolves the URL of a part (protocol 11.7.2); nothing outside of the service root can be reached. */
function resolvePart({ url, headers, dependsOn }: BatchPart, outcomes: Outcomes, address: ServiceAddress): PartAddress {
  const [before, query = ''] = splitOnce(splitOnce(encodeNonAscii(url), '#')[0], '?');
  requireOwnHost(headers.get('host'), address);
  const path = dereferenced(beneathRoot(before, address) ?? outside(before, address), dependsOn, outcomes);
  const first = path.split('/').find((segment) => segment !== '');
  if (first !== undefined && /^(\$|%24)batch$/i.test(first)) throw errors.badPart('batches cannot be nested');
  return { path, query };
}

/** The first segments of a path that begin with `$`; any other is a reference. */
const systemResources = /^(\$(metadata|entity|all|batch|root|query|crossjoin(\(.*)?))$/i;

function beneathRoot(text: string, address: ServiceAddress): string | undefined {
  return /^(?:[a-z][a-z\d+.-]*:\/)?\//i.test(text) ? pathOfUrl(text, address) : `/${text}`;
}

// A reference is the first segment after the service root, in any form of the URL.
function dereferenced(path: string, dependsOn: readonly string[], outcomes: Outcomes): string {
  const [, first = '', ...rest] = path.split('/');
  const name = /^(?:\$|%24)/.test(first) ? percentDecode(first, pathTarget) : first;
  if (!name.startsWith('$') || systemResources.test(name)) return path;
  const referred = outcomes.parts.get(name.slice(1));
  return referred && isSuccess(referred.response) ? [referred.path, ...rest].join('/') : unknownReference(name, dependsOn);
}

function unknownReference(name: string, dependsOn: readonly string[]): never {
  const hint = dependsOn.includes(name.slice(1)) ? '' : '; the dependsOn of a request in JSON contains the ids that it refers to';
  throw errors.badPart(`${name.slice(0, 64)} does not refer to a previous successful request${hint}`);
}

// A part with an absolute path may have a Host (RFC 9112, 3.2), which must be that of the batch or of the service.
function requireOwnHost(host: string | undefined, address: ServiceAddress): void {
  if (host !== undefined && host !== address.host && host !== new URL(address.root).host) outside(`//${host}`, address);
}

function outside(text: string, { root }: ServiceAddress): never {
  throw errors.badPart(`${text.slice(0, 128)} is outside the service root ${root}/`);
}

/** Headers of the batch that apply to its parts: credentials, versions, and the host that ids may name. */
const inherited: ReadonlySet<string> = new Set(['authorization', 'host', 'odata-version', 'odata-maxversion']);

/** A part as a request; it has the caller of the batch. */
export function partRequest(part: BatchPart, batch: ODataRequest, outcomes: Outcomes, address: ServiceAddress): ODataRequest {
  const { path, query } = resolvePart(part, outcomes, address);
  const sent = part.headers.get('authorization');
  if (sent !== undefined && sent !== batch.header('authorization'))
    throw errors.badPart('a request of a batch uses the token of the batch');
  requireLength(part.method, path, query);
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

// A batch is a way around the length of URLs (URL conventions 4.17), so a query may be as long here as in a body of /$query.
function requireLength(method: string, path: string, query: string): void {
  if (isTooLong(method, path)) throw errors.uriTooLong(httpLimits.requestLine);
  if (query.length > httpLimits.body) throw errors.uriTooLong(httpLimits.body, '; shorten the query');
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
