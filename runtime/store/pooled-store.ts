import type { ConnectionPool } from '../database/pool.js';
import type { Recipient } from '../database/cancel.js';
import { sharedReads } from '../database/shared-reads.js';
import { withConnection } from '../database/run.js';
import { inTransaction } from '../database/transaction.js';
import { kindOfFailure } from '../database/failures.js';
import { errors } from '../errors/catalogue.js';
import { type Connection, type Row, type Statement, withoutEnd } from '../sql/statement.js';
import { knownRecords } from './known-records.js';
import { numberSupply, serverClock } from './number-supply.js';
import { writeRefusal } from './refusal.js';
import type { Store } from './store.js';

/** The store on a connection pool. */
export function createPooledStore(pool: ConnectionPool): Store {
  const run = (statement: Statement): Promise<readonly Row[]> => withConnection(pool, (connection) => connection.run(statement));
  const clock = serverClock(run);
  const eachShared = sharedReads(pool);
  // Its other statements are sent on a connection each.
  const sharingConnection = (recipient: Recipient): Connection =>
    withoutEnd({
      run: (statement) => withConnection(pool, (connection) => connection.run(statement), recipient),
      each: (statement, onRow) => eachShared(statement, onRow, recipient),
    });
  return {
    singleWrites: { numbers: numberSupply(run, clock), clock, known: knownRecords() },
    read: (work, recipient, sharing) =>
      (sharing === undefined ? withConnection(pool, work, recipient) : work(sharingConnection(recipient))).catch(refuseRead),
    transaction: (work, recipient) => inTransaction(pool, work, recipient).catch(refuseWrite),
  };
}

// A computed value exceeded its type's range, which no check of the request can foresee.
function refuseRead(failure: unknown): never {
  if (kindOfFailure(failure) === 'invalid')
    throw errors.typeMismatch('A value of the expression is out of the range that the database can hold.');
  throw failure;
}

function refuseWrite(failure: unknown): never {
  throw writeRefusal(failure);
}
