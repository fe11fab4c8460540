import { kindOfFailure } from '../database/unavailable.js';
import type { Sight } from '../plan/sight.js';
import { compileFenced, compileSighted } from '../sql/compile-sight.js';
import type { Connection, Statement } from '../sql/statement.js';
import { mappedConnection } from './mapped-store.js';
import type { Store } from './store.js';

/** A store whose statements apply a caller's row filters. */
export function sightedStore({ read, transaction }: Store, sight: Sight): Store {
  return {
    read: (work, recipient) => read((connection) => work(fencedConnection(connection, sight)), recipient),
    transaction: (work, recipient) => transaction((connection) => work(sightedConnection(connection, sight)), recipient),
  };
}

function sightedConnection(connection: Connection, sight: Sight): Connection {
  return { sight, ...mappedConnection(connection, (statement) => (statement.whole ? statement : compileSighted(statement, sight))) };
}

// PostgreSQL may evaluate a condition of the request before the row filter. If it fails for a value, the statement runs
// again with a fence, so that only visible rows can fail.
function fencedConnection(connection: Connection, sight: Sight): Connection {
  const seen = sightedConnection(connection, sight);
  return {
    ...seen,
    run: (statement) =>
      seen.run(statement).catch((failure: unknown) => {
        if (!isOfValue(failure, statement)) throw failure;
        return connection.run(compileFenced(statement, sight));
      }),
    each: async (statement, onRow) => {
      let rows = 0;
      try {
        await seen.each(statement, (row) => ((rows += 1), onRow(row)));
      } catch (failure) {
        if (rows > 0 || !isOfValue(failure, statement)) throw failure;
        await connection.each(compileFenced(statement, sight), onRow);
      }
    },
  };
}

function isOfValue(failure: unknown, { whole }: Statement): boolean {
  return !whole && kindOfFailure(failure) === 'invalid';
}
