import { addressOf, type Keyed, type Place } from './address.js';
import { placeOf, type SetHandle } from './connect.js';
import type { AnySet } from './model.js';
import type { ChangeOptions, RequestOptions } from './options.js';
import { execute, send } from './send.js';

/** The streams of a record: `$value` is that of a media entity. */
export type StreamName<T> = keyof {
  [K in keyof T as K extends `${infer Name}@odata.mediaContentType` ? (Name extends '' ? '$value' : Name) : never]: 0;
};

/** The part of a stream to read, from its first byte. */
export interface ReadStreamOptions extends RequestOptions {
  readonly start?: number | undefined;
  /** The last byte, included. */
  readonly end?: number | undefined;
}

/** Reads the bytes of a stream: the response has the body, and the media type and ETag in its headers. */
export function readStream<S extends AnySet>(
  set: SetHandle<S>,
  record: Keyed<S>,
  name: StreamName<S['entity']>,
  { start, end, ...options }: ReadStreamOptions = {},
): Promise<Response> {
  const { place, address } = streamOf(set, record, name);
  const range = (start ?? end) === undefined ? '' : `bytes=${start ?? 0}-${end ?? ''}`;
  const plan = { ...options, method: 'GET', address, own: { accept: '*/*', range }, read: () => undefined };
  return send(place, plan, (response) => response);
}

/** The media type of the bytes to write. */
export interface WriteStreamOptions extends ChangeOptions {
  readonly type: string;
}

/** Replaces the bytes of a stream. */
export async function writeStream<S extends AnySet>(
  set: SetHandle<S>,
  record: Keyed<S>,
  name: StreamName<S['entity']>,
  bytes: RequestInit['body'],
  { type, etag = streamEtag(record, name), ...options }: WriteStreamOptions,
): Promise<void> {
  const { place, address } = streamOf(set, record, name);
  const own = { 'content-type': type, 'if-match': etag };
  // The bytes of a stream are gone after the first try.
  const retries = Symbol.asyncIterator in Object(bytes) ? 0 : undefined;
  await execute(place, { ...options, method: 'PUT', address, bytes, own, retries, read: () => undefined });
}

function streamOf(set: object, record: unknown, name: PropertyKey): { readonly place: Place; readonly address: string } {
  const place = placeOf(set);
  return { place, address: `${addressOf(place, record)}/${name as string}` };
}

// Streams have ETags of their own.
function streamEtag(record: unknown, name: PropertyKey): string | undefined {
  return (record as Readonly<Record<string, string>>)[`${name as string}@odata.mediaEtag`.replace('$value', '')];
}
