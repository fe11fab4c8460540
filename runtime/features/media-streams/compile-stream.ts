import { chunkColumns, type EntityType, type Stream, streamColumns, streamTable } from '../../edm/index.js';
import { identifier, StatementBuilder } from '../../sql/builder.js';
import { compileShown, tablePlace, type Place } from '../../sql/compile-target.js';
import type { Statement } from '../../sql/statement.js';

const chunks = identifier(streamTable);
const { stream: streamColumn, number: numberColumn, data: dataColumn } = chunkColumns;
const [ofStream, number, data] = [streamColumn, numberColumn, dataColumn].map(identifier);

/** The metadata of the stream at a path: id, media type, length, ETag. */
export function compileStreamHead(place: Place, stream: Stream): Statement {
  const { stream: id, type, length, etag } = streamColumns(stream);
  return compileShown(tablePlace(place), [id, type, length, etag]);
}

/** The metadata of a locked row's stream, by its `#id`. */
export function compileStoredHead({ table }: EntityType, recordId: string, stream: Stream): Statement {
  const builder = new StatementBuilder();
  const { stream: id, type, length, etag } = streamColumns(stream);
  const columns = [id, type, length, etag].map((column) => `${identifier(column)}::text`);
  return builder.unfilteredStatement(
    `select ${columns.join(', ')} from ${identifier(table)} where "#id" = ${builder.bind(recordId, 'bigint')}`,
  );
}

/** Inserts a chunk of a stream that no row owns yet; base64, which is shorter than hexadecimal. */
export function compileAddChunk(stream: string, at: number, base64: string): Statement {
  const builder = new StatementBuilder();
  const values = [builder.bind(stream, 'uuid'), builder.bind(String(at), 'integer'), `decode(${builder.bind(base64, 'text')}, 'base64')`];
  return builder.unfilteredStatement(`insert into ${chunks} (${ofStream}, ${number}, ${data}) values (${values.join(', ')})`);
}

/** Makes a row the owner of a stream's chunks, which are deleted with it. */
export function compileGiveChunks({ table }: EntityType, recordId: string, stream: string): Statement {
  const builder = new StatementBuilder();
  return builder.unfilteredStatement(
    `update ${chunks} set ${identifier(table)} = ${builder.bind(recordId, 'bigint')} where ${ofStream} = ${builder.bind(stream, 'uuid')}`,
  );
}

/** Deletes the chunks of a stream. */
export function compileDropChunks(stream: string): Statement {
  const builder = new StatementBuilder();
  return builder.unfilteredStatement(`delete from ${chunks} where ${ofStream} = ${builder.bind(stream, 'uuid')}`);
}

/** A range of a chunk's bytes, as base64. */
export function compileReadChunk(stream: string, at: number, offset: number, length: number): Statement {
  const builder = new StatementBuilder();
  const where = `${ofStream} = ${builder.bind(stream, 'uuid')} and ${number} = ${builder.bind(String(at), 'integer')}`;
  const part = `substring(${data} from ${builder.bind(String(offset + 1), 'integer')} for ${builder.bind(String(length), 'integer')})`;
  return builder.unfilteredStatement(`select encode(${part}, 'base64') from ${chunks} where ${where}`);
}
