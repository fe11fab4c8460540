import type { TransientColumn, JoinPair, TransientSource } from '../plan/transient-source.js';
import { transientTable } from '../plan/transient-type.js';
import { searchWords } from '../../../schema/search-words.js';
import { columnReference, identifier, StatementBuilder, withTables } from '../../../sql/builder.js';
import { compileProperty } from '../../../sql/compile-path.js';
import type { Statement } from '../../../sql/statement.js';

/**
 * Adds transient entities to a statement as a table expression over their JSON, within the row filters of the tables
 * that they reference.
 */
export function compileWithTransient(statement: Statement, place: Pick<TransientSource, 'columns' | 'stored'>, json: string): Statement {
  if (!statement.text.includes(identifier(transientTable))) return statement;
  const builder = new StatementBuilder(statement.bind);
  const columns = [
    'item.place as "#place"',
    ...place.columns.map((column) => `${compileColumn(column, builder)} as ${identifier(column.column)}`),
  ];
  const items = `jsonb_array_elements(${builder.bind(json, 'jsonb')}) with ordinality as item(value, place)`;
  const rows = `select ${columns.join(', ')} from ${items}${place.stored ? ` left join ${identifier(place.stored.table)} stored on ${compileMeeting('stored', place.stored.on, builder)}` : ''}`;
  return {
    ...statement,
    text: withTables([`${identifier(transientTable)} as materialized (${rows})`], statement.text),
    bind: builder.binds,
  };
}

function compileColumn(column: TransientColumn, builder: StatementBuilder): string {
  switch (column.kind) {
    case 'value':
      return compileProperty(column.value, builder);
    case 'words':
      return searchWords(column.texts.map(({ value, ...text }) => ({ ...text, sql: compileProperty(value, builder) })));
    case 'stored':
      return columnReference('stored', column.column);
    case 'related':
      // Without a unique constraint several rows may match: the first one counts, as in back-references to one.
      return `(select related."#id" from ${identifier(column.table)} related where ${compileMeeting('related', column.on, builder)} order by related."#id" limit 1)`;
  }
}

function compileMeeting(alias: string, on: readonly JoinPair[], builder: StatementBuilder): string {
  return on.map(([column, value]) => `${columnReference(alias, column)} = ${compileProperty(value, builder)}`).join(' and ');
}
