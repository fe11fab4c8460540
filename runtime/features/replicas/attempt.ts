import { errors } from '../../errors/catalogue.js';
import type { Connection } from '../../sql/statement.js';
import type { Store } from '../../store/store.js';
import type { Replica } from './pools.js';

/** A read on a replica. It is abandoned when the replica is excluded before a row has come; another may then be made. */
interface Attempt {
  readonly read: Store['read'];
  readonly isAnswered: () => boolean;
}

interface State {
  isAnswered: boolean;
  isAbandoned: boolean;
}

/** The next read on a replica. */
export function attemptOn({ store, onExcluded }: Replica): Attempt {
  const state: State = { isAnswered: false, isAbandoned: false };
  return {
    isAnswered: () => state.isAnswered,
    read: (work, recipient, sharing) => {
      let stop: (() => void) | undefined;
      const excluded = new Promise<never>((_, fail) => {
        stop = onExcluded(() => {
          if (state.isAnswered) return;
          state.isAbandoned = true;
          fail(errors.databaseUnavailable());
        });
      });
      return Promise.race([store.read((connection) => work(watched(connection, state)), recipient, sharing), excluded]).finally(stop);
    },
  };
}

// Rows that come after an abandonment belong to nobody.
function watched(connection: Connection, state: State): Connection {
  const requireAttempt = (): void => {
    if (state.isAbandoned) throw errors.databaseUnavailable();
    state.isAnswered = true;
  };
  const run: Connection['run'] = async (statement) => {
    const rows = await connection.run(statement);
    requireAttempt();
    return rows;
  };
  const each: Connection['each'] = async (statement, onRow) => {
    await connection.each(statement, (row) => {
      if (state.isAbandoned) return;
      state.isAnswered = true;
      onRow(row);
    });
    requireAttempt();
  };
  return { ...connection, run, each, ahead: (statement) => () => run(statement) };
}
