import { ConnectionError, Sequelize } from 'sequelize';
import { connectionTarget } from './connection-target.js';
import { keepLimits } from './limits.js';
import { giveUp } from './silent-server.js';
import { prepareStatements } from './statement-names.js';
import { markReady, watchClients } from './watched-clients.js';

/** How the connections to the database behave; times in milliseconds, 0 for no limit. */
export interface ConnectOptions {
  readonly poolSize?: number;
  /** How long a request waits for a connection of the pool. */
  readonly acquireTimeout?: number;
  readonly statementTimeout?: number;
  /** How long a large page may take to be read, as slowly as its reader takes it. */
  readonly pageTimeout?: number;
  readonly lockTimeout?: number;
  readonly idleInTransactionTimeout?: number;
  /** Whether connections prepare statements by name; a pooler older than pgbouncer 1.21 cannot have that. */
  readonly prepare?: boolean;
}

/** The connections to a PostgreSQL server; none is opened before the first statement. */
export function connect(url: string, options: ConnectOptions = {}): Sequelize {
  const acquire = options.acquireTimeout ?? 2_000;
  const sequelize = new Sequelize({
    dialect: 'postgres',
    ...connectionTarget(url),
    logging: false,
    ...ofOurOwn,
    pool: { max: options.poolSize ?? 10, min: 0, acquire, idle: 30_000 },
  });
  watchClients(sequelize);
  if (options.prepare ?? true) prepareStatements(sequelize);
  const statementTimeout = options.statementTimeout ?? 5_000;
  keepLimits(sequelize, { statementTimeout, pageTimeout: options.pageTimeout ?? 120_000 });
  const settings = sessionSettings(statementTimeout, options);
  sequelize.addHook('afterConnect', (connection) => setUpSession(connection as RawConnection, settings));
  return sequelize;
}

// Not in its declaration. The session's settings are ours, below; Sequelize would send its own in one more round trip.
// To ask for the version it would open a connection beside the pool, so it is told the oldest one that is served.
const ofOurOwn: object = { keepDefaultTimezone: true, databaseVersion: '14.0.0' };

interface RawConnection {
  readonly query: (text: string) => Promise<unknown>;
  readonly connection: object;
}

// Values travel as text in both directions, so their form must not depend on the server's configuration.
// SET, and not the start-up packet, because connection poolers refuse parameters they do not know there.
function sessionSettings(statementTimeout: number, options: ConnectOptions): string {
  const settings: Readonly<Record<string, string | number>> = {
    TimeZone: 'UTC',
    DateStyle: 'ISO, YMD',
    IntervalStyle: 'iso_8601',
    bytea_output: 'hex',
    extra_float_digits: 1,
    standard_conforming_strings: 'on',
    statement_timeout: statementTimeout,
    lock_timeout: options.lockTimeout ?? 2_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeout ?? 10_000,
    client_min_messages: 'warning',
    // Tables of which nothing is known yet make walks and large expansions look so expensive that a second of compiling
    // comes before milliseconds of running; pages end after some records, and gain nothing by it.
    jit: 'off',
  };
  return Object.entries(settings)
    .map(([name, value]) => `SET ${name} TO '${value}'`)
    .join(';');
}

// A connection whose set-up failed is not in the pool yet, so nobody else would close it.
async function setUpSession(connection: RawConnection, settings: string): Promise<void> {
  try {
    await connection.query(settings);
    markReady(connection);
  } catch (error) {
    giveUp(connection);
    throw error instanceof Error ? new ConnectionError(error) : error;
  }
}
