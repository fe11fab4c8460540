import { savepoint } from '../sql/savepoint.js';
import type { Connection } from '../sql/statement.js';
import type { Store } from './store.js';

/** The store within a transaction that is open: one work after the other, and a change that fails leaves the others as they are. */
export function openTransaction(connection: Connection): Store {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    read: (work) => inTurn(() => work(connection)),
    transaction: (work) => inTurn(() => changeWithin(work, connection)),
  };
}

async function changeWithin<Result>(work: (connection: Connection) => Promise<Result>, connection: Connection): Promise<Result> {
  await connection.run(savepoint.set);
  try {
    const result = await work(connection);
    await connection.run(savepoint.release);
    return result;
  } catch (failure) {
    // The handler may catch it and go on, which PostgreSQL permits only from a savepoint.
    await connection.run(savepoint.back);
    throw failure;
  }
}
