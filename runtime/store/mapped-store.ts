import type { Connection, Statement } from '../sql/statement.js';
import type { Store } from './store.js';

/** A change of statements before they run. */
type MapStatement = (statement: Statement) => Statement;

/** A store that maps each statement before it runs. */
export function mappedStore({ read, transaction }: Store, map: MapStatement): Store {
  return {
    read: (work, recipient) => read((connection) => work(mappedWhole(connection, map)), recipient),
    transaction: (work, recipient) => transaction((connection) => work(mappedWhole(connection, map)), recipient),
  };
}

function mappedWhole(connection: Connection, map: MapStatement): Connection {
  const { rowFilters } = connection;
  return { ...(rowFilters && { rowFilters }), ...mappedConnection(connection, map) };
}

/** A connection that maps each statement before it runs, without row filters. */
export function mappedConnection(
  { run, ahead, each, defer, finish, models }: Connection,
  map: MapStatement,
): Omit<Connection, 'rowFilters'> {
  return {
    run: (statement) => run(map(statement)),
    ahead: (statement) => ahead(map(statement)),
    each: (statement, onRow) => each(map(statement), onRow),
    defer: (statement, refusal) => defer(map(statement), refusal),
    ...(finish && { finish: (statement, onRow) => finish(map(statement), onRow) }),
    ...(models && { models }),
  };
}
