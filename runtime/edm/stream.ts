/** A media stream of an entity: a stream property, that of a complex value by its path, or that of a media entity as `$value`. */
export interface Stream {
  /** The prefix of its columns; see `streamColumns`. */
  readonly column: string;
  /** Whether it can be deleted; that of a media entity is deleted only with its entity. */
  readonly nullable?: true;
  /** Core.Computed, Core.Immutable or NonUpdatableProperties: clients cannot change it. */
  readonly readOnly?: true;
  /** In bytes, from MaxLength. */
  readonly maxLength?: number;
  /** Core.AcceptableMediaTypes in lower case: media types and ranges such as `image/*`; absent for any. */
  readonly mediaTypes?: readonly string[];
}

/** Media streams by name. */
export type StreamTable = { readonly [name: string]: Stream };

/** The name of a media entity's own stream, as in its address. */
export const mediaStream = '$value';

/** The table of stream chunks. */
export const streamTable = '#stream';

/** The columns of a chunk: its stream, number from 0, and bytes. A further column per table, named after it, references its row. */
export const chunkColumns = { stream: '#stream', number: '#number', data: '#data' } as const;

/** The columns of a stream in its entity's row: its id (null for no stream), media type, length, and strong ETag without quotes. */
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
