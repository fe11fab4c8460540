import type { Recipient } from '../database/recipient.js';
import { withoutEnd, type Connection } from '../sql/statement.js';
import type { KnownRecords } from './known-records.js';
import type { NumberSupply } from './number-supply.js';
import type { ServerClock } from './server-clock.js';

/** Where statements run: the port that `main` fills with the database and tests may fill with a failing one. */
export interface Store {
  /** Runs reads on one pooled connection; what the recipient no longer waits for is cancelled. */
  readonly read: <Result>(work: (connection: Connection) => Promise<Result>, recipient: Recipient) => Promise<Result>;
  /** Runs writes in one transaction: all of them stay, or none does. It is not begun for a recipient who has gone. */
  readonly transaction: <Result>(work: (connection: Connection) => Promise<Result>, recipient: Recipient) => Promise<Result>;
  /** Present where a write may be a transaction of its own, and every record is in sight. */
  readonly atOnce?: AtOnce;
}

/** What a write may presume, so that it need not ask first. */
export interface AtOnce {
  readonly numbers: NumberSupply;
  readonly clock: ServerClock;
  readonly known: KnownRecords;
}

/** What is within a transaction already, as a store. */
export function storeOn(connection: Connection): Store {
  const within = withoutEnd(connection);
  return { read: (work) => work(within), transaction: (work) => work(within) };
}
