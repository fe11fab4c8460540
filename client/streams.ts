import { addressOf } from './address.js';
import { joinedOf, type SetHandle } from './connect.js';
import type { AnySet } from './model.js';
import type { ChangeOptions, RequestOptions } from './options.js';
import { execute, send, type Connection } from './send.js';

/** The streams of a record: `$value` is that of a media entity. */
export type StreamName<T> = keyof {
  [K in keyof T as K extends `${infer Name}@odata.mediaContentType` ? (Name extends '' ? '$value' : Name) : never]: 0;
};

/** The part of a stream to read, from its first byte. */
export interface ReadStreamOptions extends RequestOptions {
  readonly start?: number;
  /** The last byte, included. */
  readonly end?: number;
}

/** Reads the bytes of a stream: the response has the body, and the media type and ETag in its headers. */
export function readStream<S extends AnySet>(
  set: SetHandle<S>,
  record: S['key'] | Partial<S['entity']>,
  name: StreamName<S['entity']>,
  { start, end, ...options }: ReadStreamOptions = {},
): Promise<Response> {
  const { connection, address } = streamOf(set, record, name);
  const range = (start ?? end) === undefined ? {} : { range: `bytes=${start ?? 0}-${end ?? ''}` };
  const plan = { ...options, method: 'GET', address, own: { accept: '*/*', ...range }, read: () => undefined };
  return send(connection, plan, (response) => response);
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
  const { connection, address } = streamOf(set, record, name);
  const own = { 'content-type': type, ...(etag && { 'if-match': etag }) };
  await execute(connection, { ...options, method: 'PUT', address, bytes, own, read: () => undefined });
}

function streamOf(set: object, record: unknown, name: PropertyKey): { readonly connection: Connection; readonly address: string } {
  const { connection, place } = joinedOf(set);
  return { connection, address: `${addressOf(place, record)}/${String(name)}` };
}

// Streams have ETags of their own.
function streamEtag(record: unknown, name: PropertyKey): string | undefined {
  const owner = name === '$value' ? '' : String(name);
  return (record as { readonly [annotation: string]: string | undefined })[`${owner}@odata.mediaEtag`];
}
