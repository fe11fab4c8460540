import type { Sequelize, Transaction } from 'sequelize';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, Row, Statement } from '../sql/statement.js';
import { streamRows } from './row-stream.js';
import { nameOf, namesOf, type StatementNames } from './statement-names.js';
import { asUnavailable, isConnectionLost, isRepeatable } from './unavailable.js';

/** The part of the database driver's client that statements need. */
export interface DatabaseClient {
  readonly query: (query: object) => Promise<{ readonly rows: readonly Row[] }>;
}

/** Runs one statement; every cell comes back as the text the server sent, so that no digit is lost in a number or a Date. */
export async function runStatement(client: DatabaseClient, statement: Statement, name?: string): Promise<readonly Row[]> {
  const { text, bind } = statement;
  // The extended protocol takes one statement only, whatever the text holds.
  const result = await client.query({ text, values: bind, name, rowMode: 'array', types: asText, queryMode: 'extended' });
  return result.rows;
}

/** Gives `work` a connection of the pool, outside of a transaction. */
export async function withConnection<T>(sequelize: Sequelize, work: (connection: Connection) => Promise<T>): Promise<T> {
  try {
    return await withClient(sequelize, (client) => work(connectionOf(client, namesOf(sequelize))));
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Runs `work` in a transaction, and again when the database asks for it; so `work` must not have effects elsewhere. */
export async function inTransaction<T>(sequelize: Sequelize, work: (connection: Connection) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await sequelize.transaction((transaction) => work(connectionOf(clientOf(transaction), namesOf(sequelize))));
    } catch (error) {
      if (!isRepeatable(error) || attempt === repeats) throw asUnavailable(error);
      // Two that failed on each other must not meet again.
      await delay(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/** Gives `work` the driver's client itself, for what is not a statement with rows, such as COPY. */
export async function withClient<T>(sequelize: Sequelize, work: (client: DatabaseClient) => Promise<T>): Promise<T> {
  // Sequelize's declaration offers 'read' and 'write', but its code compares with 'SELECT'.
  const options = { type: 'SELECT' } as unknown as AcquireOptions;
  const connection = await sequelize.connectionManager.getConnection(options);
  try {
    // The declaration says only `object`; with this dialect it is the driver's client.
    const result = await work(connection as unknown as DatabaseClient);
    sequelize.connectionManager.releaseConnection(connection);
    return result;
  } catch (error) {
    await giveBack(sequelize, connection, error);
    throw error;
  }
}

const repeats = 3;

const asText = { getTypeParser: () => (cell: string): string => cell };

type AcquireOptions = Parameters<Sequelize['connectionManager']['getConnection']>[0];

type PooledConnection = Awaited<ReturnType<Sequelize['connectionManager']['getConnection']>>;

// A connection that is lost would fail once more for the next request.
async function giveBack(sequelize: Sequelize, connection: PooledConnection, error: unknown): Promise<void> {
  if (isConnectionLost(error)) await destroyConnection(sequelize, connection);
  else sequelize.connectionManager.releaseConnection(connection);
}

/** Closes a connection instead of returning it to the pool. */
export async function destroyConnection(sequelize: Sequelize, connection: PooledConnection): Promise<void> {
  // Not in the declaration; Sequelize uses it for transactions that could not be rolled back.
  const manager = sequelize.connectionManager as unknown as { destroyConnection(connection: PooledConnection): Promise<void> };
  await manager.destroyConnection(connection);
}

function connectionOf(client: DatabaseClient, names: StatementNames | undefined): Connection {
  return {
    run: (statement) => runStatement(client, statement, nameOf(statement, names)),
    each: (statement, onRow) => streamRows(client, statement, nameOf(statement, names), onRow),
  };
}

// Not in the declaration either; the transaction holds its connection from BEGIN to the end.
function clientOf(transaction: Transaction): DatabaseClient {
  return (transaction as unknown as { readonly connection: DatabaseClient }).connection;
}
