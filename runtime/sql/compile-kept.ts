import { chunkColumns, streamColumns, streamTable, type EntityType, type Stream } from '../edm/index.js';
import { identifier, StatementBuilder } from './builder.js';
import type { Statement } from './statement.js';

/** Records that others contain, and their column with the number of what contains them. */
export interface ContainedBy {
  readonly type: EntityType;
  readonly column: string;
}

const chunks = identifier(streamTable);
const [stream, number, data] = [chunkColumns.stream, chunkColumns.number, chunkColumns.data].map(identifier);

/** The numbers of the records that a record contains along a way, those in sight alone. */
export function compileContained(way: readonly ContainedBy[], id: string): Statement {
  const builder = new StatementBuilder();
  const text = way.reduce(
    (outer, { type, column }) => `select "#id" from ${identifier(type.table)} where ${identifier(column)} in (${outer})`,
    builder.bind(id, 'bigint'),
  );
  return builder.statement(text);
}

/** What is known of the streams of these records that have one of the ETags; no record can be changed before the transaction ends. */
export function compileKeptHeads({ table }: EntityType, { column }: Stream, ids: readonly string[], etags: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const { stream: id, type, length, etag } = streamColumns({ column });
  const cells = [id, type, length, etag].map((name) => `${identifier(name)}::text`);
  return builder.wholeStatement(
    `select ${cells.join(', ')} from ${identifier(table)} where "#id" = any(${builder.bind(ids, 'bigint[]')}) and ${identifier(etag)} = any(${builder.bind(etags, 'text[]')}) order by "#id" for update`,
  );
}

/** The chunks of a stream once more, for a record that is yet to come. */
export function compileCopyChunks(from: string, to: string): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(
    `insert into ${chunks} (${stream}, ${number}, ${data}) select ${builder.bind(to, 'uuid')}, ${number}, ${data} from ${chunks} where ${stream} = ${builder.bind(from, 'uuid')}`,
  );
}
