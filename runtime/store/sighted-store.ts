import type { Sight } from '../plan/sight.js';
import { compileSighted } from '../sql/compile-sight.js';
import type { Connection, Statement } from '../sql/statement.js';
import type { Store } from './store.js';

/** A store whose statements find only the records that a caller may see. */
export function sightedStore({ read, transaction }: Store, sight: Sight): Store {
  return {
    read: (work, recipient) => read((connection) => work(sightedConnection(connection, sight)), recipient),
    transaction: (work, recipient) => transaction((connection) => work(sightedConnection(connection, sight)), recipient),
  };
}

function sightedConnection({ run, each, defer, finish }: Connection, sight: Sight): Connection {
  const seen = (statement: Statement): Statement => (statement.whole ? statement : compileSighted(statement, sight));
  return {
    sight,
    run: (statement) => run(seen(statement)),
    each: (statement, onRow) => each(seen(statement), onRow),
    defer: (statement, refusal) => defer(seen(statement), refusal),
    ...(finish && { finish: (statement, onRow) => finish(seen(statement), onRow) }),
  };
}
