import type { Sequelize } from 'sequelize';
import { withConnection } from '../database/run.js';
import { inTransaction } from '../database/transaction.js';
import { kindOfFailure } from '../database/failures.js';
import { errors } from '../errors/catalogue.js';
import type { Row, Statement } from '../sql/statement.js';
import { knownRecords } from './known-records.js';
import { numberSupply, serverClock } from './number-supply.js';
import { writeRefusal } from './refusal.js';
import type { Store } from './store.js';

/** The store on Sequelize's pool and transactions. */
export function createSequelizeStore(sequelize: Sequelize): Store {
  const run = (statement: Statement): Promise<readonly Row[]> => withConnection(sequelize, (connection) => connection.run(statement));
  const clock = serverClock(run);
  return {
    singleWrites: { numbers: numberSupply(run, clock), clock, known: knownRecords() },
    read: (work, recipient) => withConnection(sequelize, work, recipient).catch(refuseRead),
    transaction: (work, recipient) => inTransaction(sequelize, work, recipient).catch(refuseWrite),
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
