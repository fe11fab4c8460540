import type { EntityType } from './entity-type.js';
import { own } from './lookup.js';

/** A media stream that records may have: a stream property, that of a complex value under its path, or under the name `$value` that of a media entity. */
export interface Stream {
  /** What its columns begin with; see `streamColumns`. */
  readonly column: string;
  /** It may be taken away; the one of a media entity goes with its record only. */
  readonly nullable?: true;
  /** Core.Computed, Core.Immutable or NonUpdatableProperties: clients cannot change it. */
  readonly readOnly?: true;
  /** In bytes, from MaxLength. */
  readonly maxLength?: number;
  /** Core.AcceptableMediaTypes, in lower case: media types and ranges such as `image/*`; absent for any. */
  readonly mediaTypes?: readonly string[];
}

/** Media streams by name. */
export type StreamTable = { readonly [name: string]: Stream };

/** The name of a media entity's own stream, which is that of its address. */
export const mediaStream = '$value';

/** The table of all streams' chunks. */
export const streamTable = '#stream';

/** The columns of the chunks: the stream that one belongs to, its place in it from 0 on, and its bytes. Beside them there is a column a table of records, named after it. */
export const chunkColumns = { stream: '#stream', number: '#number', data: '#data' } as const;

/** The columns that tell of a stream in its record's row: whose chunks they are (null where there is none), media type, bytes, and strong ETag without its quotes. */
export function streamColumns({ column }: Pick<Stream, 'column'>): { readonly [Fact in 'stream' | 'type' | 'length' | 'etag']: string } {
  return { stream: `${column}.stream`, type: `${column}.type`, length: `${column}.length`, etag: `${column}.etag` };
}

/** The SQL types of these columns by name. */
export function streamColumnTypes(stream: Pick<Stream, 'column'>): ReadonlyMap<string, string> {
  const columns = streamColumns(stream);
  return new Map([
    [columns.stream, 'uuid'],
    [columns.type, 'text'],
    [columns.length, 'bigint'],
    [columns.etag, 'text'],
  ]);
}

/** The media stream of that name. */
export function streamOf({ streams = {} }: Pick<EntityType, 'streams'>, name: string): Stream | undefined {
  return own(streams, name);
}
