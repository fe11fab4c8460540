import type { Recipient } from '../database/recipient.js';
import { withoutEnd, type Connection } from '../sql/statement.js';

/** Where statements run: the port that `main` fills with the database and tests may fill with a failing one. */
export interface Store {
  /** Runs reads on one pooled connection; what the recipient no longer waits for is cancelled. */
  readonly read: <Result>(work: (connection: Connection) => Promise<Result>, recipient: Recipient) => Promise<Result>;
  /** Runs writes in one transaction: all of them stay, or none does. It is not begun for a recipient who has gone. */
  readonly transaction: <Result>(work: (connection: Connection) => Promise<Result>, recipient: Recipient) => Promise<Result>;
}

/** What is within a transaction already, as a store. */
export function storeOn(connection: Connection): Store {
  const within = withoutEnd(connection);
  return { read: (work) => work(within), transaction: (work) => work(within) };
}
