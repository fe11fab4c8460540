import type { Model, ModelStatic, QueryInterface, QueryOptions, Sequelize, TransactionOptions } from 'sequelize';
import { Transaction } from 'sequelize';
import type { Models } from '../edm/extension.js';
import type { InTurn } from '../sql/statement.js';

/** The part of the database driver's client that Sequelize uses. */
interface Client {
  readonly query: (...args: readonly unknown[]) => unknown;
}

type Callback = (failure: unknown, result?: unknown) => void;

/**
 * The Sequelize models by entity type, whose statements run on a client within its transaction; `around` runs each
 * statement. They are subclasses of the defined models, so that their instances are bound too.
 */
export function boundModels(sequelize: Sequelize, client: object, around: InTurn): Models {
  const bound = boundInstance(
    sequelize,
    Object.assign(new Transaction(sequelize, {}), { connection: sharedClient(client as Client, around) }),
  );
  const models = new Map<string, unknown>();
  return new Proxy<Models>(
    {},
    {
      get: (_, name) => {
        if (typeof name !== 'string' || !sequelize.isDefined(name)) return undefined;
        if (!models.has(name)) models.set(name, boundModel(sequelize.model(name), bound));
        return models.get(name);
      },
    },
  );
}

// A Sequelize instance whose statements run in a transaction unless they name another, and whose transactions are its savepoints.
function boundInstance(sequelize: Sequelize, transaction: Transaction): Sequelize {
  const queries: QueryInterface = Object.create(sequelize.getQueryInterface(), { sequelize: { get: () => bound } }) as QueryInterface;
  const bound = Object.create(sequelize, {
    query: {
      value: (sql: string, options: QueryOptions = {}) =>
        sequelize.query(sql, { ...options, transaction: options.transaction ?? transaction }),
    },
    transaction: { value: (...args: readonly unknown[]) => savepoint(sequelize, transaction, ...args) },
    getQueryInterface: { value: () => queries },
  }) as Sequelize;
  return bound;
}

// As `Sequelize.transaction`, whose options may be absent.
function savepoint(sequelize: Sequelize, transaction: Transaction, ...[first = {}, work]: readonly unknown[]): Promise<unknown> {
  if (typeof first === 'function') return savepoint(sequelize, transaction, {}, first);
  const options = { ...(first as TransactionOptions), transaction: (first as TransactionOptions).transaction ?? transaction };
  return sequelize.transaction(options, work as (savepoint: Transaction) => Promise<unknown>);
}

function boundModel(model: ModelStatic<Model>, sequelize: Sequelize): ModelStatic<Model> {
  const subclass = class extends model {};
  return Object.defineProperties(subclass, { name: { value: model.name }, sequelize: { value: sequelize } });
}

// The driver's `query` with a callback, as Sequelize calls it.
function sharedClient(client: Client, around: InTurn): Client {
  const query = (...args: readonly unknown[]): void => {
    const done = args.at(-1) as Callback;
    const work = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        client.query(...args.slice(0, -1), (failure: unknown, result: unknown) => (failure ? reject(failure) : resolve(result)));
      });
    around(work).then(
      (result) => done(undefined, result),
      (failure: unknown) => done(failure),
    );
  };
  return Object.create(client, { query: { value: query } }) as Client;
}
