import type { Models } from '../edm/index.js';
import { beforeChange } from './savepoint.js';
import { withoutEnd, type Connection } from '../sql/statement.js';
import { takeBack } from './attempt.js';
import type { Store } from './store.js';

/** A transaction as a store, until it ends. */
interface OpenTransaction extends Store {
  /** The Sequelize models; their statements take turns with the works. */
  readonly models: Models;
  /** Stops accepting work, and waits for the running one: the connection is about to serve others. */
  readonly end: () => Promise<void>;
}

/**
 * The store within an open transaction: works run one after the other, and a failed change leaves the others in place.
 */
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
    models: connection.models?.(inTurn) ?? {},
    end: async () => {
      ended = true;
      await last;
    },
  };
}

/** The error for a handler that continues after its operation has been answered. */
export class EndedError extends Error {
  override readonly name = 'EndedError';

  constructor() {
    super('The action and its transaction have ended; a handler must await all of its calls.');
  }
}

async function changeWithin<Result>(work: (connection: Connection) => Promise<Result>, connection: Connection): Promise<Result> {
  await connection.run(beforeChange.set);
  try {
    const result = await work(connection);
    await connection.run(beforeChange.release);
    return result;
  } catch (failure) {
    // The handler may catch it and continue, which PostgreSQL permits only from a savepoint.
    await takeBack(beforeChange, connection);
    throw failure;
  }
}
