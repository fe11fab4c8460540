import { mappedConnection, type Store } from '../../store/store.js';
import { kindOfFailure } from '../../database/failures.js';
import type { RowFilters } from '../../plan/row-filter.js';
import { compileFenced, compileFiltered } from './compile-row-filters.js';
import type { Connection, Statement } from '../../sql/statement.js';

/** A store whose statements apply a caller's row filters. */
export function filteredStore({ read, transaction }: Store, filters: RowFilters): Store {
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
