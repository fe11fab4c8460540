import { planHooks } from '../../plan/hooks.js';
import { sqlHooks } from '../../sql/hooks.js';
import { storeHooks } from '../../store/hooks.js';
import { rowFiltersOf, rowRuleFaults } from './plan-row-filters.js';
import { mappedConnection, type Store } from '../../store/store.js';
import { kindOfFailure } from '../../database/failures.js';
import type { RowFilters, ReadFilter, Container } from '../../plan/row-filter.js';
import type { Connection, Statement } from '../../sql/statement.js';
import { quote } from '../../schema/identifier.js';
import { columnReference, StatementBuilder, withTables } from '../../sql/builder.js';
import { compileCondition } from '../../sql/compile-expr.js';

/** Registers row filters. */
export function registerRowFilters(): void {
  planHooks.register({ rowFilters: { ofCaller: rowFiltersOf, faults: rowRuleFaults } });
  sqlHooks.register({ compileFiltered });
  storeHooks.register({ filteredStore });
}

function filteredStore({ read, transaction }: Store, filters: RowFilters): Store {
  return {
    read: (work, recipient) => read((connection) => work(fencedConnection(connection, filters)), recipient),
    transaction: (work, recipient) => transaction((connection) => work(filteredConnection(connection, filters)), recipient),
  };
}

function filteredConnection(connection: Connection, filters: RowFilters): Connection {
  return {
    rowFilters: filters,
    ...mappedConnection(connection, (statement) => (statement.unfiltered ? statement : compileFiltered(statement, filters))),
  };
}

// PostgreSQL may evaluate a condition of the request before the row filter. If it fails for a value, the statement runs
// again with a fence, so that only visible rows can fail.
function fencedConnection(connection: Connection, filters: RowFilters): Connection {
  const filtered = filteredConnection(connection, filters);
  return {
    ...filtered,
    run: (statement) =>
      filtered.run(statement).catch((failure: unknown) => {
        if (!isOfValue(failure, statement)) throw failure;
        return connection.run(compileFenced(statement, filters));
      }),
    each: async (statement, onRow) => {
      let rows = 0;
      try {
        await filtered.each(statement, (row) => ((rows += 1), onRow(row)));
      } catch (failure) {
        if (rows > 0 || !isOfValue(failure, statement)) throw failure;
        await connection.each(compileFenced(statement, filters), onRow);
      }
    },
  };
}

function isOfValue(failure: unknown, { unfiltered }: Statement): boolean {
  return !unfiltered && kindOfFailure(failure) === 'invalid';
}

/**
 * Applies row filters to a statement: a common table expression hides each filtered table behind its name, wherever the
 * statement reads it. PostgreSQL inlines the conditions.
 */
export function compileFiltered(statement: Statement, filters: RowFilters): Statement {
  return applyFilters(statement, filters, 'not materialized');
}

/** Applies row filters as an optimization fence, so that conditions of the statement see only visible rows; indexes do not apply. */
function compileFenced(statement: Statement, filters: RowFilters): Statement {
  return applyFilters(statement, filters, 'materialized');
}

type Placing = 'materialized' | 'not materialized';

function applyFilters(statement: Statement, { read, filtered }: RowFilters, placing: Placing): Statement {
  const builder = new StatementBuilder(statement.bind);
  const tables = filtersFor(statement.text, read).map((filter) => compileReadFilter(filter, placing, builder));
  const rest = [...tables, statement.text].join(' ');
  // First, while the names still mean the tables themselves.
  const unfiltered = filtered
    .filter((one) => rest.includes(quote(one.unfiltered)))
    .map((one) => `${quote(one.unfiltered)} as not materialized (select * from ${quote(one.table)})`);
  if (unfiltered.length + tables.length === 0) return statement;
  return { ...statement, text: withTables([...unfiltered, ...tables], statement.text), bind: builder.binds };
}

// The filtered tables that a statement reads, preceded by those of their parents.
function filtersFor(text: string, read: readonly ReadFilter[]): readonly ReadFilter[] {
  const asked = new Set<string>();
  const asking = read.toReversed().filter(({ table, within }) => {
    const isRead = asked.has(table) || text.includes(quote(table));
    if (isRead) for (const container of within) asked.add(container.table);
    return isRead;
  });
  return asking.toReversed();
}

function compileReadFilter(filter: ReadFilter, placing: Placing, builder: StatementBuilder): string {
  const { table, unfiltered, alias, condition, within } = filter;
  const conditions = [
    ...(condition ? [compileCondition(condition, builder)] : []),
    ...within.map((container) => compileWithin(container, alias)),
  ];
  return `${quote(table)} as ${placing} (select ${alias}.* from ${quote(unfiltered)} ${alias} where ${conditions.join(' and ')})`;
}

function compileWithin({ table, column, optional }: Container, alias: string): string {
  const reference = columnReference(alias, column);
  const exists = `exists (select 1 from ${quote(table)} outer_record where outer_record."#id" = ${reference})`;
  return optional ? `(${reference} is null or ${exists})` : exists;
}
