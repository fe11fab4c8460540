import { chunkColumns, streamColumns, streamTable, type EntityType, type Stream } from '../edm/index.js';
import { columnReference, identifier, StatementBuilder } from './builder.js';
import { compileShown, tablePlace, type Place } from './compile-target.js';
import type { Statement } from './statement.js';

const chunks = identifier(streamTable);
const { stream: streamColumn, number: numberColumn, data: dataColumn } = chunkColumns;
const [ofStream, number, data] = [streamColumn, numberColumn, dataColumn].map(identifier);

/** What is known of the stream of the record that a path leads to: stream, media type, length, ETag. */
export function compileStreamHead(place: Place, stream: Stream): Statement {
  const { stream: id, type, length, etag } = streamColumns(stream);
  return compileShown(tablePlace(place), [id, type, length, etag]);
}

/** The same of a record by its number, which is locked already. */
export function compileStoredHead({ table }: EntityType, recordId: string, stream: Stream): Statement {
  const builder = new StatementBuilder();
  const { stream: id, type, length, etag } = streamColumns(stream);
  const columns = [id, type, length, etag].map((column) => `${identifier(column)}::text`);
  return builder.wholeStatement(`select ${columns.join(', ')} from ${identifier(table)} where "#id" = ${builder.bind(recordId, 'bigint')}`);
}

/** Adds a chunk to a stream that no record has yet; base64, since it is shorter than hexadecimal digits. */
export function compileAddChunk(stream: string, at: number, base64: string): Statement {
  const builder = new StatementBuilder();
  const values = [builder.bind(stream, 'uuid'), builder.bind(String(at), 'integer'), `decode(${builder.bind(base64, 'text')}, 'base64')`];
  return builder.wholeStatement(`insert into ${chunks} (${ofStream}, ${number}, ${data}) values (${values.join(', ')})`);
}

/** Makes the chunks of a stream those of a record, with which they go. */
export function compileGiveChunks({ table }: EntityType, recordId: string, stream: string): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(
    `update ${chunks} set ${identifier(table)} = ${builder.bind(recordId, 'bigint')} where ${ofStream} = ${builder.bind(stream, 'uuid')}`,
  );
}

/** Removes the chunks of a stream. */
export function compileDropChunks(stream: string): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(`delete from ${chunks} where ${ofStream} = ${builder.bind(stream, 'uuid')}`);
}

/** Removes the chunks of several streams. */
export function compileDropStreams(streams: readonly string[]): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(`delete from ${chunks} where ${ofStream} = any(${builder.bind(streams, 'uuid[]')})`);
}

/** Bytes of one chunk, as base64: so many from an offset on. */
export function compileReadChunk(stream: string, at: number, offset: number, length: number): Statement {
  const builder = new StatementBuilder();
  const where = `${ofStream} = ${builder.bind(stream, 'uuid')} and ${number} = ${builder.bind(String(at), 'integer')}`;
  const part = `substring(${data} from ${builder.bind(String(offset + 1), 'integer')} for ${builder.bind(String(length), 'integer')})`;
  return builder.wholeStatement(`select encode(${part}, 'base64') from ${chunks} where ${where}`);
}

/** How long a stream may be whose value stands within its record: what is longer has its address. */
const maxInline = 1_048_576;

/** The bytes of a record's stream in base64url, unless there are too many. */
export function compileBytes(alias: string, stream: Stream): string {
  const columns = streamColumns(stream);
  const bytes = `string_agg(${data}, ''::bytea order by ${number})`;
  const text = `select translate(encode(${bytes}, 'base64'), E'+/=\\n', '-_') from ${chunks} where ${ofStream} = ${columnReference(alias, columns.stream)}`;
  return `case when ${columnReference(alias, columns.length)} <= ${maxInline} then coalesce((${text}), '') end`;
}

/** For how long the client of this transaction may send nothing, in milliseconds. */
export function compileIdleLimit(milliseconds: number): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(
    `select set_config('idle_in_transaction_session_timeout', ${builder.bind(String(milliseconds), 'text')}, true)`,
  );
}
