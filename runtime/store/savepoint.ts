import type { Models } from '../edm/extension.js';
import { ODataError } from '../errors/odata-error.js';
import { type Connection, withoutEnd } from '../sql/statement.js';
import { writeRefusal } from './refusal.js';
import type { Store } from './store.js';

/** Runs a part of a transaction after a savepoint; rolls it back if it is rejected, and returns the error. */
export async function attempt<Result>(work: (part: Connection) => Promise<Result>, connection: Connection): Promise<Result | ODataError> {
  const { set, release, takeBack } = savepoint('attempt', connection);
  await set();
  try {
    const result = await work(withoutEnd(connection));
    await release();
    return result;
  } catch (failure) {
    const refusal = writeRefusal(failure);
    // A failure of the service or of the database ends the transaction.
    if (!(refusal instanceof ODataError) || refusal.status >= 500) throw failure;
    await takeBack();
    return refusal;
  }
}

/**
 * The steps of a savepoint: before one of several changes of a request, or before a change of a handler, which may be
 * such a request. PostgreSQL uses the last savepoint with a name, so one that is taken back is released too.
 */
function savepoint(name: 'attempt' | 'inner_change', { run }: Connection) {
  const step = (command: string) => () => run({ text: `${command} ${name}`, bind: [], unplanned: true });
  const [set, back, release] = [step('savepoint'), step('rollback to savepoint'), step('release savepoint')];
  return { set, release, takeBack: () => back().then(release) };
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
  const { set, release, takeBack } = savepoint('inner_change', connection);
  await set();
  try {
    const result = await work(connection);
    await release();
    return result;
  } catch (failure) {
    // The handler may catch it and continue, which PostgreSQL permits only from a savepoint.
    await takeBack();
    throw failure;
  }
}
