import type { Sequelize, Transaction } from 'sequelize';
import { setTimeout as delay } from 'node:timers/promises';
import { errors } from '../errors/catalogue.js';
import { cellText, type Connection, type Row, type RowBytes, type Statement } from '../sql/statement.js';
import { cancellationOf, type Cancellation, type CancellableClient } from './cancel.js';
import { limitsOf } from './limits.js';
import { paceOf } from './pace.js';
import type { Recipient } from './recipient.js';
import { streamRows, type Reading } from './row-stream.js';
import { giveUp, withinTime } from './silent-server.js';
import { nameOf, namesOf } from './statement-names.js';
import { asUnavailable, isConnectionLost, isRepeatable } from './unavailable.js';

/** The part of the database driver's client that statements need. */
export interface DatabaseClient extends CancellableClient {
  readonly query: (query: object) => Promise<{ readonly rows: readonly Row[] }>;
}

/** Runs one statement; every cell comes back as the text the server sent, so that no digit is lost in a number or a Date. */
export async function runStatement(client: DatabaseClient, statement: Statement, name?: string): Promise<readonly Row[]> {
  const { text, bind } = statement;
  // The extended protocol takes one statement only, whatever the text holds.
  const result = await client.query({ text, values: bind, name, rowMode: 'array', types: asText, queryMode: 'extended' });
  return result.rows;
}

/** Gives `work` a connection of the pool, outside of a transaction; when its recipient goes, its statement is cancelled and no further one runs. */
export async function withConnection<T>(sequelize: Sequelize, work: (connection: Connection) => Promise<T>, recipient: Recipient = anyone): Promise<T> {
  try {
    return await withClient(sequelize, (client) => workFor(recipient, client, (cancellation) => work(connectionOf(client, sequelize, { recipient, cancellation }))));
  } catch (error) {
    throw asUnavailable(error);
  }
}

/**
 * Runs `work` in a transaction, and again when the database asks for it; so `work` must not have effects elsewhere.
 * One whose recipient has gone is not begun; one that has begun is finished, since the recipient may count on it.
 */
export async function inTransaction<T>(sequelize: Sequelize, work: (connection: Connection) => Promise<T>, recipient: Recipient = anyone): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await sequelize.transaction(async (transaction) => {
        requireRecipient(recipient);
        return work(connectionOf(clientOf(transaction), sequelize));
      });
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
    const result = await work(clientIn(connection));
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

// The declaration says only `object`; with this dialect it is the driver's client.
function clientIn(connection: PooledConnection): DatabaseClient {
  return connection as unknown as DatabaseClient;
}

// A connection that is lost would fail once more for the next request; nobody may answer its end.
async function giveBack(sequelize: Sequelize, connection: PooledConnection, error: unknown): Promise<void> {
  if (!isConnectionLost(error)) return sequelize.connectionManager.releaseConnection(connection);
  giveUp(clientIn(connection));
  await destroyConnection(sequelize, connection);
}

/** Closes a connection instead of returning it to the pool. */
export async function destroyConnection(sequelize: Sequelize, connection: PooledConnection): Promise<void> {
  // Not in the declaration; Sequelize uses it for transactions that could not be rolled back.
  const manager = sequelize.connectionManager as unknown as { destroyConnection(connection: PooledConnection): Promise<void> };
  await manager.destroyConnection(connection);
}

// For work that nobody in particular asked for.
const anyone: Recipient = { isGone: () => false, onGone: () => () => undefined };

function requireRecipient(recipient: Recipient): void {
  if (recipient.isGone()) throw errors.clientGone();
}

// The connection is given back when no cancellation can reach it any more; it is not when that is in doubt.
async function workFor<T>(recipient: Recipient, client: DatabaseClient, work: (cancellation: Cancellation) => Promise<T>): Promise<T> {
  requireRecipient(recipient);
  const cancellation = cancellationOf(client);
  const stopListening = recipient.onGone(cancellation.request);
  try {
    return await work(cancellation);
  } catch (failure) {
    requireRecipient(recipient);
    throw failure;
  } finally {
    stopListening();
    await cancellation.settled();
  }
}

/** For whom statements run, and how they are stopped; a transaction's are not. */
interface Attendance {
  readonly recipient: Recipient;
  readonly cancellation: Cancellation;
}

function connectionOf(client: DatabaseClient, sequelize: Sequelize, attendance?: Attendance): Connection {
  const names = namesOf(sequelize);
  const { statementTimeout } = limitsOf(sequelize);
  const inTransaction = attendance === undefined;
  return {
    run: async (statement) => {
      if (attendance) requireRecipient(attendance.recipient);
      return withinTime(client, statementTimeout, rowsOf(client, statement, { name: nameOf(statement, names), inTransaction }));
    },
    each: async (statement, onRow) => {
      if (attendance) requireRecipient(attendance.recipient);
      const pace = statement.unhurried && attendance ? paceOf(limitsOf(sequelize), attendance.cancellation.request) : undefined;
      const rows = streamRows(client, statement, { name: nameOf(statement, names), onRow, inTransaction, ...(pace && { pace }) });
      // An unhurried one waits for its reader, who has a limit of its own.
      return statement.unhurried ? rows : withinTime(client, statementTimeout, rows);
    },
  };
}

async function rowsOf(client: DatabaseClient, statement: Statement, how: Pick<Reading, 'name' | 'inTransaction'>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const onRow = (row: RowBytes): undefined => void rows.push(Array.from(row.starts, (_, index) => cellText(row, index)));
  await streamRows(client, statement, { ...how, onRow });
  return rows;
}

// Not in the declaration either; the transaction holds its connection from BEGIN to the end.
function clientOf(transaction: Transaction): DatabaseClient {
  return (transaction as unknown as { readonly connection: DatabaseClient }).connection;
}
