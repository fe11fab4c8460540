import { Readable } from 'node:stream';
import { errors } from '../../errors/catalogue.js';
import type { StreamTarget } from '../../plan/path/path-target.js';
import { noSuchStream, requireReadableStream } from './plan-stream.js';
import { emptyResponse, type ODataResponse } from '../../protocol/message.js';
import { conditionsOf, isKnown } from '../../protocol/precondition.js';
import { dispositionOf } from '../../protocol/request-body.js';
import type { Connection } from '../../sql/statement.js';
import { chunkBytes, findStream, readChunks, type StreamHead } from './stream-store.js';
import type { Exchange } from '../../http/service.js';
import { compileParent, requireParent } from '../../http/read/read-entity.js';

/** GET of a media stream, or of a range of it (protocol 11.2.4.1 and 11.2.5). */
export async function readStream(target: StreamTarget, exchange: Exchange): Promise<ODataResponse> {
  const { request, service, options, caller } = exchange;
  requireReadableStream(target, options, caller);
  return service.store.read(async (connection) => {
    const head = await findReadable(target, connection);
    if (head === null) return emptyResponse(204, exchange.version);
    const etag = streamETag(head);
    if (isKnown(conditionsOf(request), etag)) return emptyResponse(304, exchange.version, { ETag: etag });
    return respondWith(head, exchange, connection);
  }, request.recipient);
}

/** A stream that was just written, completely: conditions and ranges of the request apply to the earlier one. */
export function showStream(head: StreamHead, exchange: Exchange, connection: Connection): Promise<ODataResponse> {
  const { request } = exchange;
  return respondWith(
    head,
    {
      ...exchange,
      request: { ...request, method: 'GET', header: (name) => (/^(if-|range$)/.test(name) ? undefined : request.header(name)) },
    },
    connection,
  );
}

/** The strong ETag of a stream. */
export function streamETag({ etag }: StreamHead): string {
  return `"${etag}"`;
}

// Navigation to nothing has no entity with a stream (protocol 11.2.4).
async function findReadable(target: StreamTarget, connection: Connection): Promise<StreamHead | null> {
  const head = await findStream(target, target.stream, connection);
  if (head !== undefined) return head;
  const parent = compileParent(target);
  if (parent) await requireParent(parent, connection);
  if (parent === undefined || target.key.length > 0) throw noSuchStream(target);
  return null;
}

async function respondWith(head: StreamHead, exchange: Exchange, connection: Connection): Promise<ODataResponse> {
  const { request, version } = exchange;
  const { length } = head;
  const isRanged = request.method === 'GET' && rangePermitted(request.header('if-range'), streamETag(head));
  const range = byteRange(isRanged ? request.header('range') : undefined, length);
  if (range.kind === 'unsatisfiable') throw errors.rangeNotSatisfiable(length).withHeaders({ 'Content-Range': `bytes */${length}` });
  const [from, to] = range.kind === 'part' ? [range.first, range.last + 1] : [0, length];
  const headers = {
    ...headersOf(head, version),
    'Content-Length': String(to - from),
    ...(range.kind === 'part' && { 'Content-Range': `bytes ${from}-${to - 1}/${length}` }),
  };
  const answer = { status: range.kind === 'part' ? 206 : 200, headers };
  if (request.method === 'HEAD') return answer;
  if (to - from > chunkBytes) return { ...answer, body: streamBody(head, from, to, exchange) };
  const parts: Buffer[] = [];
  for await (const part of readChunks(head, from, to, connection.run)) parts.push(part);
  return { ...answer, body: Buffer.concat(parts) };
}

// A range refers to the stored bytes, so intermediaries must not encode them.
function headersOf(head: StreamHead, version: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': head.type,
    'OData-Version': version,
    ETag: streamETag(head),
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'no-transform',
    'Content-Disposition': dispositionOf(head.type),
    Vary: 'OData-MaxVersion',
  };
}

// No connection is held between two chunks, since a client may be slow.
function streamBody(head: StreamHead, from: number, to: number, { service, request }: Exchange): Readable {
  const run: Connection['run'] = (statement) => service.store.read((connection) => connection.run(statement), request.recipient);
  return Readable.from(readChunks(head, from, to, run), { objectMode: false, highWaterMark: chunkBytes });
}

/** The part of a representation that a Range header selects; `last` is the offset of the last byte. */
type ByteRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'unsatisfiable' };

const whole: ByteRange = { kind: 'whole' };

/**
 * The byte range of a Range header for a content length (RFC 9110, 14.1.2). Other units, several ranges and invalid
 * headers are ignored, as the standard permits: the answer is complete.
 */
export function byteRange(header: string | undefined, length: number): ByteRange {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return whole;
  if (from === '')
    return Number(to) === 0 || length === 0
      ? { kind: 'unsatisfiable' }
      : { kind: 'part', first: Math.max(0, length - Number(to)), last: length - 1 };
  if (to !== '' && Number(to) < Number(from)) return whole;
  if (Number(from) >= length) return { kind: 'unsatisfiable' };
  return { kind: 'part', first: Number(from), last: to === '' ? length - 1 : Math.min(Number(to), length - 1) };
}

/** Whether If-Range permits the range: the ETag matches strongly (RFC 9110, 13.1.5). A date never does, since streams have none. */
export function rangePermitted(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}
