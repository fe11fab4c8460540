import type { Connection } from '../sql/statement.js';

/** Where statements run: the port that `main` fills with the database and tests may fill with a failing one. */
export interface Store {
  /** Runs reads on one pooled connection. */
  readonly read: <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>;
  /** Runs writes in one transaction: all of them stay, or none does. */
  readonly transaction: <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>;
}
