import { addressOf, type Keyed, type Place } from './address.js';
import { placeOf, type SetHandle } from './connect.js';
import type { AnySet } from './model.js';
import type { ChangeOptions, RequestOptions } from './options.js';
import type { Exact, Result, Shape } from './query.js';
import { writePlan } from './records.js';
import type { Plan } from './request.js';
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
export function writeStream<S extends AnySet>(
  set: SetHandle<S>,
  record: Keyed<S>,
  name: StreamName<S['entity']>,
  bytes: RequestInit['body'],
  { type, ...options }: WriteStreamOptions,
): Promise<void> {
  const { place, address } = streamOf(set, record, name);
  // Streams have ETags of their own.
  const { etag = (record as Partial<Record<string, string>>)[`${name as string}@odata.mediaEtag`.replace('$value', '')] } = options;
  const plan: Plan<void> = { ...options, method: 'PUT', address, own: { 'if-match': etag }, read: () => undefined };
  return sendBytes(place, plan, bytes, type);
}

/** Creates a media entity from its bytes, and returns it as the options select it; `update` changes its properties. */
export function createMedia<S extends AnySet, const Q extends Shape<S['entity']>>(
  set: 'createMedia' extends S['changes'] ? SetHandle<S> : never,
  bytes: NonNullable<RequestInit['body']>,
  options: Q & Exact<Omit<Q, keyof RequestOptions | 'type'>> & RequestOptions & { readonly type: string },
): Promise<Result<S['entity'], Q>> {
  const place = placeOf(set);
  const plan = writePlan<Result<S['entity'], Q>>(place, { method: 'POST', address: place.path, body: bytes }, options as object);
  return sendBytes(place, plan, bytes, options.type);
}

// The bytes of a stream are gone after the first try.
function sendBytes<R>(place: Place, plan: Plan<R>, bytes: RequestInit['body'], type: string): Promise<R> {
  const retries = Symbol.asyncIterator in Object(bytes) ? 0 : undefined;
  return execute(place, { ...plan, bytes, own: { ...plan.own, 'content-type': type }, retries } as Plan<R>);
}

function streamOf(set: object, record: unknown, name: PropertyKey): { readonly place: Place; readonly address: string } {
  const place = placeOf(set);
  return { place, address: `${addressOf(place, record)}/${name as string}` };
}
