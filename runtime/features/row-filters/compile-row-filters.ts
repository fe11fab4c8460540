import type { RowFilters, ReadFilter, Container } from '../../plan/row-filter.js';
import { columnReference, identifier, StatementBuilder, withTables } from '../../sql/builder.js';
import { compileCondition } from '../../sql/compile-expr.js';
import type { Statement } from '../../sql/statement.js';

/**
 * Applies row filters to a statement: a common table expression hides each filtered table behind its name, wherever the
 * statement reads it. PostgreSQL inlines the conditions.
 */
export function compileFiltered(statement: Statement, filters: RowFilters): Statement {
  return applyFilters(statement, filters, 'not materialized');
}

/**
 * Applies row filters as an optimization fence, so that conditions of the statement see only visible rows; indexes do
 * not apply.
 */
export function compileFenced(statement: Statement, filters: RowFilters): Statement {
  return applyFilters(statement, filters, 'materialized');
}

type Placing = 'materialized' | 'not materialized';

function applyFilters(statement: Statement, { read, filtered }: RowFilters, placing: Placing): Statement {
  const builder = new StatementBuilder(statement.bind);
  const tables = filtersFor(statement.text, read).map((filter) => compileReadFilter(filter, placing, builder));
  const rest = [...tables, statement.text].join(' ');
  // First, while the names still mean the tables themselves.
  const unfiltered = filtered
    .filter((one) => rest.includes(identifier(one.unfiltered)))
    .map((one) => `${identifier(one.unfiltered)} as not materialized (select * from ${identifier(one.table)})`);
  if (unfiltered.length + tables.length === 0) return statement;
  return { ...statement, text: withTables([...unfiltered, ...tables], statement.text), bind: builder.binds };
}

// The filtered tables that a statement reads, preceded by those of their parents.
function filtersFor(text: string, read: readonly ReadFilter[]): readonly ReadFilter[] {
  const asked = new Set<string>();
  const asking = read.toReversed().filter(({ table, within }) => {
    const isRead = asked.has(table) || text.includes(identifier(table));
    if (isRead) for (const container of within) asked.add(container.table);
    return isRead;
  });
  return asking.toReversed();
}

function compileReadFilter(
  { table, unfiltered, alias, condition, within }: ReadFilter,
  placing: Placing,
  builder: StatementBuilder,
): string {
  const conditions = [
    ...(condition ? [compileCondition(condition, builder)] : []),
    ...within.map((container) => compileWithin(container, alias)),
  ];
  return `${identifier(table)} as ${placing} (select ${alias}.* from ${identifier(unfiltered)} ${alias} where ${conditions.join(' and ')})`;
}

function compileWithin({ table, column, optional }: Container, alias: string): string {
  const reference = columnReference(alias, column);
  const exists = `exists (select 1 from ${identifier(table)} outer_record where outer_record."#id" = ${reference})`;
  return optional ? `(${reference} is null or ${exists})` : exists;
}
