import { setTimeout as delay } from 'node:timers/promises';
import type { Sequelize } from 'sequelize';
import type { Connection } from '../sql/statement.js';
import type { Recipient } from './recipient.js';
import { anyone, connectionOf, requireRecipient, withClient, type Around, type DatabaseClient } from './run.js';
import { streamRows } from './row-stream.js';
import { giveUp } from './silent-server.js';
import { asUnavailable, isRepeatable } from './unavailable.js';

const repeats = 3;

/**
 * Runs `work` in a transaction, and again when the database asks for it; so `work` must not have effects elsewhere.
 * One whose recipient has gone is not begun; one that has begun is finished, since the recipient may count on it.
 */
export async function inTransaction<T>(sequelize: Sequelize, work: (connection: Connection) => Promise<T>, recipient: Recipient = anyone): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await withClient(sequelize, async (client) => {
        requireRecipient(recipient);
        return await transact(openTransaction(client, sequelize), work);
      });
    } catch (error) {
      if (!isRepeatable(error) || attempt === repeats) throw asUnavailable(error);
      // Two that failed on each other must not meet again.
      await delay(Math.random() * 10 * 2 ** attempt);
    }
  }
}

async function transact<T>({ connection, end }: Transaction, work: (connection: Connection) => Promise<T>): Promise<T> {
  try {
    const result = await work(connection);
    await end('COMMIT');
    return result;
  } catch (failure) {
    await end('ROLLBACK');
    throw failure;
  }
}

interface Transaction {
  readonly connection: Connection;
  /** Does nothing where no statement has run, or the last one has ended it. */
  readonly end: (how: 'COMMIT' | 'ROLLBACK') => Promise<void>;
}

// Begun in the packet of its first statement and, where the work says which one is the last, ended in that one's.
function openTransaction(client: DatabaseClient, sequelize: Sequelize): Transaction {
  let state: 'new' | 'begun' | 'ended' = 'new';
  const begin = (): Around => {
    if (state === 'ended') throw new Error('A statement came after the one that ended its transaction.');
    const before = state === 'new' ? ['START TRANSACTION'] : [];
    state = 'begun';
    return { before, after: [] };
  };
  const usual = connectionOf(client, sequelize, { around: begin });
  const last = connectionOf(client, sequelize, { around: () => ({ ...begin(), after: ['COMMIT'] }) });
  const finish = async (...args: Parameters<Connection['each']>): Promise<void> => {
    await last.each(...args);
    state = 'ended';
  };
  return { connection: { ...usual, finish }, end: async (how) => (state === 'begun' ? endWith(how, client) : undefined) };
}

async function endWith(how: 'COMMIT' | 'ROLLBACK', client: DatabaseClient): Promise<void> {
  try {
    await streamRows(client, { text: how, bind: [] }, { name: undefined, onRow: () => undefined });
  } catch (failure) {
    if (how === 'COMMIT') throw failure;
    // Within a transaction that nobody can end the connection is of no use; why it came to that is thrown already.
    giveUp(client);
  }
}
