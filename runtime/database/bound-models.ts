import { createRequire } from 'node:module';
import type * as library from 'sequelize';
import type { Model, ModelStatic, QueryInterface, QueryOptions, Sequelize, Transaction, TransactionOptions } from 'sequelize';
import type { Models } from '../edm/extension.js';
import type { InTurn } from '../sql/statement.js';
import { noteSource } from './failures.js';
import type { ConnectionPool, TypeParsers } from './pool.js';
import { memoized } from '../edm/memoized.js';

/** The part of the database driver's client that Sequelize uses. */
interface Client {
  readonly query: (...args: readonly unknown[]) => unknown;
}

type Callback = (failure: unknown, result?: unknown) => void;

/**
 * The Sequelize models by entity type, whose statements run on a client within its transaction; `around` runs each
 * statement. They are subclasses of the defined models, so that their instances are bound too.
 */
export function boundModels(pool: ConnectionPool, client: object, around: InTurn): Models {
  let bound: Sequelize | undefined;
  const models = new Map<string, unknown>();
  return new Proxy<Models>(
    {},
    {
      get: (_, name) => {
        if (typeof name !== 'string' || !pool.models.has(name)) return undefined;
        bound ??= boundInstance(sequelizeOf(pool), client as Client, around);
        if (!models.has(name)) models.set(name, boundModel(modelOf(pool, name), bound));
        return models.get(name);
      },
    },
  );
}

/** The part of Sequelize that its types do not declare. */
interface ConnectionManager extends TypeParsers {
  pool: ConnectionPool['clients'];
  readonly _refreshDynamicOIDs: (client: object) => Promise<void>;
}

/** The instance of Sequelize on a pool. It is loaded here, since it would add 22 MB and 150 ms to the start of a service. */
export const sequelizeOf = memoized((pool: ConnectionPool): Sequelize => {
  const sequelize = new (loadSequelize().Sequelize)(options);
  const manager = sequelize.connectionManager as unknown as ConnectionManager;
  manager.pool = pool.clients;
  pool.parsers.getTypeParser = manager.getTypeParser.bind(manager);
  return sequelize;
});

// With a given version it opens no connection to ask for it; the oldest supported one is given.
const options = { dialect: 'postgres', logging: false, databaseVersion: '14.0.0' } as const;

const require = createRequire(import.meta.url);

function loadSequelize(): typeof library {
  return require('sequelize') as typeof library;
}

/** A model of a pool, which is defined when it is first used. */
export function modelOf(pool: ConnectionPool, name: string): ModelStatic<Model> {
  const sequelize = sequelizeOf(pool);
  if (!sequelize.isDefined(name)) pool.models.get(name)?.(sequelize, loadSequelize().DataTypes);
  return sequelize.model(name);
}

const typesRead = new WeakMap<Sequelize, Promise<void>>();

// Sequelize reads the OIDs of types when it opens its first connection. Here it opens none, so they are read before its first statement.
function readTypes(sequelize: Sequelize, client: object): Promise<void> {
  const manager = sequelize.connectionManager as unknown as ConnectionManager;
  const known = typesRead.get(sequelize) ?? manager['_refreshDynamicOIDs'](client);
  typesRead.set(sequelize, known);
  known.catch(() => typesRead.delete(sequelize));
  return known;
}

// A Sequelize instance whose statements run in a transaction unless they name another, and whose transactions are its savepoints.
function boundInstance(sequelize: Sequelize, client: Client, around: InTurn): Sequelize {
  const connection = sharedClient(client, (work) => around(() => readTypes(sequelize, client).then(work)));
  const transaction = Object.assign(new (loadSequelize().Transaction)(sequelize, {}), { connection });
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
        client.query(...args.slice(0, -1), (failure: unknown, result: unknown) => {
          if (!failure) return resolve(result);
          noteSource(failure, 'own');
          reject(failure);
        });
      });
    around(work).then(
      (result) => done(undefined, result),
      (failure: unknown) => {
        noteSource(failure, 'service');
        done(failure);
      },
    );
  };
  return Object.create(client, { query: { value: query } }) as Client;
}
