import { chunkColumns, streamColumns, streamTable, type EntityType, type Stream } from '../edm/index.js';
import { identifier, StatementBuilder } from './builder.js';
import type { Statement } from './statement.js';

/** The type of contained rows, and their parent column. */
export interface ContainedBy {
  readonly type: EntityType;
  readonly column: string;
}

const chunks = identifier(streamTable);
const [stream, number, data] = [chunkColumns.stream, chunkColumns.number, chunkColumns.data].map(identifier);

/** The ids of the rows that a row contains along a path, visible ones only. */
export function compileContained(way: readonly ContainedBy[], id: string): Statement {
  const builder = new StatementBuilder();
  const text = way.reduce(
    (outer, { type, column }) => `select "#id" from ${identifier(type.table)} where ${identifier(column)} in (${outer})`,
    builder.bind(id, 'bigint'),
  );
  return builder.statement(text);
}

/** The metadata of streams that have one of the ETags; the rows are locked. */
export function compileKeptHeads({ table }: EntityType, { column }: Stream, ids: readonly string[], etags: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const { stream: id, type, length, etag } = streamColumns({ column });
  const cells = [id, type, length, etag].map((name) => `${identifier(name)}::text`);
  return builder.wholeStatement(
    `select ${cells.join(', ')} from ${identifier(table)} where "#id" = any(${builder.bind(ids, 'bigint[]')}) and ${identifier(etag)} = any(${builder.bind(etags, 'text[]')}) order by "#id" for update`,
  );
}

/** Copies the chunks of a stream for a new row. */
export function compileCopyChunks(from: string, to: string): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(
    `insert into ${chunks} (${stream}, ${number}, ${data}) select ${builder.bind(to, 'uuid')}, ${number}, ${data} from ${chunks} where ${stream} = ${builder.bind(from, 'uuid')}`,
  );
}
