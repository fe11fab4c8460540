import type { Models } from '../edm/extension.js';
import { ODataError } from '../errors/odata-error.js';
import { type Connection, type Statement, withoutEnd } from '../sql/statement.js';
import { writeRefusal } from './refusal.js';
import type { Store } from './store.js';

/** The statements of a savepoint: set, roll back, release. */
type Savepoint = { readonly [Step in 'set' | 'back' | 'release']: Statement };

// PostgreSQL uses the last savepoint with a name, so nested parts need different names.
function savepoint(name: string): Savepoint {
  return {
    set: { text: `savepoint ${name}`, bind: [], unplanned: true },
    back: { text: `rollback to savepoint ${name}`, bind: [], unplanned: true },
    release: { text: `release savepoint ${name}`, bind: [], unplanned: true },
  };
}

/** The savepoint before a handler's change. */
const beforeChange: Savepoint = savepoint('inner_change');

/** The savepoint before one of several changes of a request, which may be a handler's. */
const beforeAttempt: Savepoint = savepoint('attempt');

/** Runs a part of a transaction after a savepoint; rolls it back if it is rejected, and returns the error. */
export async function attempt<Result>(work: (part: Connection) => Promise<Result>, connection: Connection): Promise<Result | ODataError> {
  await connection.run(beforeAttempt.set);
  try {
    const result = await work(withoutEnd(connection));
    await connection.run(beforeAttempt.release);
    return result;
  } catch (failure) {
    const refusal = writeRefusal(failure);
    // A failure of the service or of the database ends the transaction.
    if (!(refusal instanceof ODataError) || refusal.status >= 500) throw failure;
    await takeBack(beforeAttempt, connection);
    return refusal;
  }
}

/** Rolls back to a savepoint and releases it: left in place, it would hide an earlier one with its name. */
async function takeBack({ back, release }: Savepoint, { run }: Connection): Promise<void> {
  await run(back);
  await run(release);
}

/** A transaction as a store, until it ends. */
interface OpenTransaction extends Store {
  /** The Sequelize models; their statements take turns with the works. */
  readonly models: Models;
  /** Stops accepting work, and waits for the running one: the connection is about to serve others. */
  readonly end: () => Promise<void>;
}

/** The store within an open transaction: works run one after the other, and a failed change leaves the others in place. */
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
