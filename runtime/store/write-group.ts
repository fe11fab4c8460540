import type { EntityType } from '../edm/entity-type.js';
import { type Connection, type Piece, withoutEnd } from '../sql/statement.js';
import { numberSupply, serverClock } from './number-supply.js';
import type { SingleWrites, Store } from './store.js';

/** Writes of one transaction, each of which may be one statement; these are sent together. */
export interface WriteGroup {
  readonly store: Store;
  /** Resolves when the next write waits to be sent. */
  readonly queued: () => Promise<void>;
  /** Sends the writes that wait; their own promises carry a failure. */
  readonly send: () => Promise<void>;
}

interface WaitingWrite extends Piece {
  readonly resolve: () => void;
  readonly reject: (failure: unknown) => void;
}

/**
 * Groups the writes of a connection's transaction. Any other statement is sent after those that wait, so that it sees
 * what they changed. `expected` is how many new entities of a type to draw numbers for at first.
 */
export function groupWrites(connection: Connection, expected: (type: EntityType) => number): WriteGroup {
  let waiting: WaitingWrite[] = [];
  let announce: (() => void) | undefined;
  const { models, together } = connection;
  const send = async (): Promise<void> => {
    const writes = waiting;
    waiting = [];
    if (together && writes.length > 0) await sendTogether(writes, together);
  };
  const inOrder: Connection = {
    ...withoutEnd({
      run: (statement) => send().then(() => connection.run(statement)),
      each: (statement, onRow) => send().then(() => connection.each(statement, onRow)),
      ...(models && { models: (inTurn) => models((work) => inTurn(() => send().then(work))) }),
    }),
    ...(together && {
      later: (statement, onRow) =>
        new Promise((resolve, reject) => {
          waiting.push({ statement, onRow, resolve, reject });
          announce?.();
        }),
    }),
  };
  // A connection of the pool might never come while others hold one and wait alike.
  const clock = serverClock(inOrder.run);
  const numbers = numberSupply(inOrder.run, clock, expected);
  return {
    store: {
      singleWrites: { numbers, clock, known: noneKnown },
      read: (work) => work(inOrder),
      transaction: (work) => work(inOrder),
    },
    queued: () => new Promise((resolve) => (announce = resolve)),
    send,
  };
}

async function sendTogether(writes: readonly WaitingWrite[], together: NonNullable<Connection['together']>): Promise<void> {
  try {
    await together(writes);
    for (const { resolve } of writes) resolve();
  } catch (failure) {
    for (const { reject } of writes) reject(failure);
  }
}

// All changes of a transaction give a row the same state, which therefore detects none of them.
const noneKnown: SingleWrites['known'] = { find: () => undefined, note: () => undefined, forget: () => undefined };
