import { chunkColumns, streamColumns, streamColumnTypes, streamTable } from '../../runtime/edm/index.js';
import { quote } from '../../runtime/schema/identifier.js';
import type { Column, Table, ForeignKey } from '../../runtime/schema/schema.js';
import type { EntityNode, StreamNode } from '../graph/model-graph.js';
import { databaseName } from '../graph/names/names.js';

/** The columns of a stream's metadata in its entity's row: null without a stream. */
export function streamSchemaColumns({ stream }: StreamNode): readonly Column[] {
  const { stream: id } = streamColumns(stream);
  return [...streamColumnTypes(stream)].map(([name, type]): Column => ({
    name,
    type,
    ...(type === 'text' && { collation: 'C' }),
    ...(name !== id && { follows: id }),
  }));
}

/**
 * The table of stream chunks, if there are streams: a column for each entity table, whose foreign key deletes chunks
 * with their row.
 */
export function streamTables(tables: readonly EntityNode[]): readonly Table[] {
  const owners = tables.filter(({ streams }) => streams.length > 0).map(({ table }) => table);
  if (owners.length === 0) return [];
  const { stream, number, data } = chunkColumns;
  return [
    {
      name: streamTable,
      columns: [
        { name: stream, type: 'uuid', notNull: true },
        { name: number, type: 'integer', notNull: true },
        { name: data, type: 'bytea', notNull: true },
        ...owners.map((name): Column => ({ name, type: 'bigint', follows: stream })),
      ],
      constraints: [
        { kind: 'primary key', name: `${streamTable}#key`, columns: [stream, number] },
        ...owners.map((principal) => rowKey(`${streamTable}#${principal}#fk`, principal, principal, 'cascade')),
      ],
      indexes: owners.map((name) => ({
        name: databaseName(`${streamTable}#${name}`),
        terms: [quote(name)],
        where: `${quote(name)} is not null`,
      })),
    },
  ];
}

/** A foreign key of one column with the numbers of rows; `onDelete` is `cascade` for parts of what it references. */
export function rowKey(name: string, column: string, principal: string, onDelete?: 'cascade'): ForeignKey {
  const reference = { columns: [column], principal, principalColumns: ['#id'] };
  return { kind: 'foreign key', name: databaseName(name), ...reference, ...(onDelete && { onDelete }) };
}
