import { createHash, randomUUID } from 'node:crypto';
import { type EntityType, type StoredRecord, type Stream, streamColumns, chunkColumns, streamTable } from '../../edm/index.js';
import { type Place, compileShown, tablePlace } from '../../sql/compile-target.js';
import type { Connection, Row, Statement } from '../../sql/statement.js';
import type { LockedRecord } from '../../store/stored-record.js';
import { storeChanges } from '../../store/store-changes.js';
import type { WriteTransaction } from '../../store/write-scope.js';
import { quote } from '../../schema/identifier.js';
import { StatementBuilder } from '../../sql/builder.js';

/** Bytes per row of the chunk table; a stream occupies a few chunks of memory. */
export const chunkBytes = 256 * 1024;

/** The metadata of a stream: the id of its chunks, its media type as sent, its length, and its ETag without quotes. */
export interface StreamHead {
  readonly stream: string;
  readonly type: string;
  readonly length: number;
  readonly etag: string;
}

/** The stream at a path: null where the entity has none, undefined where there is no entity. */
export async function findStream(place: Place, stream: Stream, connection: Connection): Promise<StreamHead | null | undefined> {
  const [row] = await connection.run(compileStreamHead(place, stream));
  return row && headOf(row);
}

/** The stream of a locked entity. */
export async function storedStream({ type, id }: LockedRecord, stream: Stream, connection: Connection): Promise<StreamHead | null> {
  const [row] = await connection.run(compileStoredHead(type, id, stream));
  return row ? headOf(row) : null;
}

function headOf([stream, type, length, etag]: Row): StreamHead | null {
  return stream == null ? null : { stream, type: type ?? '', length: Number(length), etag: etag ?? '' };
}

/** Stores the bytes of a new stream in chunks as they arrive. The ETag is a hash of media type and bytes. */
export async function storeChunks(type: string, bytes: Pieces, connection: Connection): Promise<StreamHead> {
  const stream = randomUUID();
  const hash = createHash('sha256').update(`${type}\0`);
  let length = 0;
  let number = 0;
  for await (const chunk of inChunks(bytes)) {
    hash.update(chunk);
    length += chunk.length;
    await connection.run(compileAddChunk(stream, number++, chunk.toString('base64')));
  }
  return { stream, type, length, etag: hash.digest('base64url') };
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The bytes in pieces of one chunk each; the last one may be shorter. */
async function* inChunks(bytes: Pieces): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (let piece of bytes) {
    while (size + piece.length >= chunkBytes) {
      const taken = chunkBytes - size;
      yield Buffer.concat([...waiting, piece.subarray(0, taken)]);
      piece = piece.subarray(taken);
      waiting = [];
      size = 0;
    }
    if (piece.length === 0) continue;
    waiting.push(piece);
    size += piece.length;
  }
  if (size > 0) yield Buffer.concat(waiting);
}

/** The values of a stream's metadata columns. */
export function streamValues(stream: Stream, head: StreamHead | null): StoredRecord {
  const columns = streamColumns(stream);
  return new Map([
    [columns.stream, head?.stream ?? null],
    [columns.type, head?.type ?? null],
    [columns.length, head === null ? null : String(head.length)],
    [columns.etag, head?.etag ?? null],
  ]);
}

/** Replaces or removes the stream of a locked entity, and deletes the old chunks. Identical content changes nothing. */
export async function setStream(
  locked: LockedRecord,
  stream: Stream,
  head: StreamHead | null,
  scope: WriteTransaction,
): Promise<StreamHead | null> {
  const { connection } = scope;
  const before = await storedStream(locked, stream, connection);
  if (before?.etag === head?.etag) {
    if (head) await connection.run(compileDropChunks(head.stream));
    return before;
  }
  await storeChanges(locked.type, locked, streamValues(stream, head), scope);
  if (head) await ownChunks(locked.type, locked.id, head, connection);
  if (before) await connection.run(compileDropChunks(before.stream));
  return head;
}

/** Makes an entity the owner of a stream's chunks, which are deleted with it. */
export async function ownChunks(type: EntityType, id: string, { stream }: StreamHead, connection: Connection): Promise<void> {
  await connection.run(compileGiveChunks(type, id, stream));
}

/** The bytes of a stream from one offset up to another, exclusive; chunks are read on demand. */
export async function* readChunks({ stream }: StreamHead, from: number, to: number, run: Connection['run']): AsyncGenerator<Buffer> {
  for (let at = from; at < to;) {
    const number = Math.floor(at / chunkBytes);
    const offset = at - number * chunkBytes;
    const length = Math.min(chunkBytes - offset, to - at);
    const [row] = await run(compileReadChunk(stream, number, offset, length));
    if (row?.[0] == null) throw new StreamReplaced();
    yield Buffer.from(row[0], 'base64');
    at += length;
  }
}

/** The error when a stream was replaced or removed while it was read, so that reading has to start again. */
class StreamReplaced extends Error {
  override readonly name = 'StreamReplaced';

  constructor() {
    super('The media stream was replaced while it was read.');
  }
}

const chunks = quote(streamTable);
const { stream: streamColumn, number: numberColumn, data: dataColumn } = chunkColumns;
const [ofStream, number, data] = [streamColumn, numberColumn, dataColumn].map(quote);

/** The metadata of the stream at a path: id, media type, length, ETag. */
function compileStreamHead(place: Place, stream: Stream): Statement {
  const { stream: id, type, length, etag } = streamColumns(stream);
  return compileShown(tablePlace(place), [id, type, length, etag]);
}

/** The metadata of a locked row's stream, by its `#id`. */
export function compileStoredHead({ table }: EntityType, recordId: string, stream: Stream): Statement {
  const builder = new StatementBuilder();
  const { stream: id, type, length, etag } = streamColumns(stream);
  const columns = [id, type, length, etag].map((column) => `${quote(column)}::text`);
  return builder.unfilteredStatement(`select ${columns.join(', ')} from ${quote(table)} where "#id" = ${builder.bind(recordId, 'bigint')}`);
}

/** Inserts a chunk of a stream that no row owns yet; base64, which is shorter than hexadecimal. */
function compileAddChunk(stream: string, at: number, base64: string): Statement {
  const builder = new StatementBuilder();
  const values = [builder.bind(stream, 'uuid'), builder.bind(String(at), 'integer'), `decode(${builder.bind(base64, 'text')}, 'base64')`];
  return builder.unfilteredStatement(`insert into ${chunks} (${ofStream}, ${number}, ${data}) values (${values.join(', ')})`);
}

/** Makes a row the owner of a stream's chunks, which are deleted with it. */
function compileGiveChunks({ table }: EntityType, recordId: string, stream: string): Statement {
  const builder = new StatementBuilder();
  return builder.unfilteredStatement(
    `update ${chunks} set ${quote(table)} = ${builder.bind(recordId, 'bigint')} where ${ofStream} = ${builder.bind(stream, 'uuid')}`,
  );
}

/** Deletes the chunks of a stream. */
export function compileDropChunks(stream: string): Statement {
  const builder = new StatementBuilder();
  return builder.unfilteredStatement(`delete from ${chunks} where ${ofStream} = ${builder.bind(stream, 'uuid')}`);
}

/** A range of a chunk's bytes, as base64. */
function compileReadChunk(stream: string, at: number, offset: number, length: number): Statement {
  const builder = new StatementBuilder();
  const where = `${ofStream} = ${builder.bind(stream, 'uuid')} and ${number} = ${builder.bind(String(at), 'integer')}`;
  const part = `substring(${data} from ${builder.bind(String(offset + 1), 'integer')} for ${builder.bind(String(length), 'integer')})`;
  return builder.unfilteredStatement(`select encode(${part}, 'base64') from ${chunks} where ${where}`);
}
