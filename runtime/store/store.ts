import type { Recipient } from '../database/cancel.js';
import { withoutEnd, type Connection } from '../sql/statement.js';
import type { KnownRecords } from './known-records.js';
import type { NumberSupply, ServerClock } from './number-supply.js';

/** The port for statements, which `main` connects to the database and tests may replace by a failing one. */
export interface Store {
  /** Runs reads on one pooled connection; they are cancelled when the recipient disconnects. */
  readonly read: <Result>(work: (connection: Connection) => Promise<Result>, recipient: Recipient) => Promise<Result>;
  /** Runs writes in one transaction. It does not start for a disconnected recipient. */
  readonly transaction: <Result>(work: (connection: Connection) => Promise<Result>, recipient: Recipient) => Promise<Result>;
  /** Whether its statements may read views: tables of the model that are computed from others. */
  readonly hasViews?: true;
  /** Present where a write may be its own transaction, and no row filters apply. */
  readonly singleWrites?: SingleWrites;
}

/** The cached facts that let a write skip reads. */
export interface SingleWrites {
  readonly numbers: NumberSupply;
  readonly clock: ServerClock;
  readonly known: KnownRecords;
}

/** A store within the transaction of a connection. */
export function storeOn(connection: Connection): Store {
  const within = withoutEnd(connection);
  return { read: (work) => work(within), transaction: (work) => work(within) };
}
