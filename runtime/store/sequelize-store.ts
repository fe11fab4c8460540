import type { Sequelize } from 'sequelize';
import { inTransaction, withConnection } from '../database/run.js';
import { errors } from '../errors/catalogue.js';
import { sqlStateOf } from './create-record.js';
import type { Store } from './store.js';

/** The store over Sequelize's pool and transactions. */
export function createSequelizeStore(sequelize: Sequelize): Store {
  return {
    read: (work, recipient) => withConnection(sequelize, work, recipient).catch(refuseOutOfRange),
    transaction: (work, recipient) => inTransaction(sequelize, work, recipient),
  };
}

// Class 22: a value grew out of its type's range while the query ran, which no check of the request can foresee.
function refuseOutOfRange(failure: unknown): never {
  if (sqlStateOf(failure)?.startsWith('22')) {
    throw errors.typeMismatch('A value of the expression is out of the range that the database can hold.');
  }
  throw failure;
}
