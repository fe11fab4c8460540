import { addressOf } from './address.js';
import { joinedOf, type SetHandle } from './connect.js';
import type { AnySet } from './model.js';
import type { ChangeOptions, RequestOptions } from './options.js';
import { execute, send } from './send.js';

/** The streams of a record: `$value` is that of a media entity. */
export type StreamName<T> = keyof {
  [K in keyof T as K extends `${infer Name}@odata.mediaContentType` ? (Name extends '' ? '$value' : Name) : never]: 0;
};

/** A stream as it is read. */
export interface ReadStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly type: string | undefined;
  readonly etag: string | undefined;
  /** The bytes of the body; those of the whole stream are in Content-Range. */
  readonly length: number | undefined;
  readonly range: string | undefined;
}

/** The part of a stream to read, from its first byte. */
export interface ReadStreamOptions extends RequestOptions {
  readonly start?: number;
  /** The last byte, included. */
  readonly end?: number;
}

/** Reads the bytes of a stream. */
export function readStream<S extends AnySet>(
  set: SetHandle<S>,
  record: S['key'] | Partial<S['entity']>,
  name: StreamName<S['entity']>,
  { start, end, ...options }: ReadStreamOptions = {},
): Promise<ReadStream> {
  const { connection, place } = joinedOf(set);
  const part = start ?? end;
  const own = { Accept: '*/*', ...(part !== undefined && { Range: `bytes=${start ?? 0}-${end ?? ''}` }) };
  const address = `${addressOf(place, record)}/${String(name)}`;
  return send(connection, { ...options, method: 'GET', address, own, read: () => undefined }, ({ body, headers }) => ({
    body: body ?? new ReadableStream({ start: (controller) => controller.close() }),
    type: headers.get('content-type') ?? undefined,
    etag: headers.get('etag') ?? undefined,
    length: Number(headers.get('content-length') ?? Number.NaN) || undefined,
    range: headers.get('content-range') ?? undefined,
  }));
}

/** The media type of the bytes to write. */
export interface WriteStreamOptions extends ChangeOptions {
  readonly type: string;
}

/** Replaces the bytes of a stream. */
export async function writeStream<S extends AnySet>(
  set: SetHandle<S>,
  record: S['key'] | Partial<S['entity']>,
  name: StreamName<S['entity']>,
  bytes: RequestInit['body'],
  { type, etag = streamEtag(record, name), ...options }: WriteStreamOptions,
): Promise<void> {
  const { connection, place } = joinedOf(set);
  const own = { 'Content-Type': type, ...(etag && { 'If-Match': etag }) };
  const address = `${addressOf(place, record)}/${String(name)}`;
  await execute(connection, { ...options, method: 'PUT', address, bytes, own, read: () => undefined });
}

// Streams have ETags of their own.
function streamEtag(record: unknown, name: unknown): string | undefined {
  const owner = name === '$value' ? '' : String(name);
  const etag = typeof record === 'object' ? (record as Record<string, unknown>)[`${owner}@odata.mediaEtag`] : undefined;
  return typeof etag === 'string' ? etag : undefined;
}
