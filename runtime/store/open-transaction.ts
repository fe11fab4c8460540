import { beforeChange } from '../sql/savepoint.js';
import { withoutEnd, type Connection } from '../sql/statement.js';
import { takeBack } from './attempt.js';
import type { Store } from './store.js';

/** A transaction as a store, until it ends. */
interface OpenTransaction extends Store {
  /** Takes no further work, and waits for the one that runs: the connection is about to serve somebody else. */
  readonly end: () => Promise<void>;
}

/** The store within a transaction that is open: one work after the other, and a change that fails leaves the others as they are. */
export function openTransaction(whole: Connection): OpenTransaction {
  const connection = withoutEnd(whole);
  let last: Promise<unknown> = Promise.resolve();
  let ended = false;
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const begin = (): Promise<Result> => (ended ? Promise.reject(new EndedError()) : work());
    const turn = last.then(begin, begin);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    read: (work) => inTurn(() => work(connection)),
    transaction: (work) => inTurn(() => changeWithin(work, connection)),
    end: async () => {
      ended = true;
      await last;
    },
  };
}

/** What a handler gets that goes on after its operation has been answered. */
export class EndedError extends Error {
  override readonly name = 'EndedError';

  constructor() {
    super('The action has ended, and its transaction with it; a handler must await everything that it begins.');
  }
}

async function changeWithin<Result>(work: (connection: Connection) => Promise<Result>, connection: Connection): Promise<Result> {
  await connection.run(beforeChange.set);
  try {
    const result = await work(connection);
    await connection.run(beforeChange.release);
    return result;
  } catch (failure) {
    // The handler may catch it and go on, which PostgreSQL permits only from a savepoint.
    await takeBack(beforeChange, connection);
    throw failure;
  }
}
