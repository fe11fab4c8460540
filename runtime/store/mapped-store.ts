import type { Connection, Statement } from '../sql/statement.js';
import type { Store } from './store.js';

/** What becomes of a statement before it is run. */
type MapStatement = (statement: Statement) => Statement;

/** A store that changes each statement before it is run. */
export function mappedStore({ read, transaction }: Store, map: MapStatement): Store {
  return {
    read: (work, recipient) => read((connection) => work(mappedWhole(connection, map)), recipient),
    transaction: (work, recipient) => transaction((connection) => work(mappedWhole(connection, map)), recipient),
  };
}

function mappedWhole(connection: Connection, map: MapStatement): Connection {
  const { sight } = connection;
  return { ...(sight && { sight }), ...mappedConnection(connection, map) };
}

/** A connection that changes each statement before it is run; what a caller may see is left to whoever knows it. */
export function mappedConnection({ run, ahead, each, defer, finish }: Connection, map: MapStatement): Omit<Connection, 'sight'> {
  return {
    run: (statement) => run(map(statement)),
    ahead: (statement) => ahead(map(statement)),
    each: (statement, onRow) => each(map(statement), onRow),
    defer: (statement, refusal) => defer(map(statement), refusal),
    ...(finish && { finish: (statement, onRow) => finish(map(statement), onRow) }),
  };
}
