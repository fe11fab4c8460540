import { ConnectionError, Sequelize } from 'sequelize';
import { connectionTarget } from './address.js';
import { findPrimary } from './find-primary.js';
import { adaptSession, type Session, sessionOf } from './pool.js';
import { giveUp, markReady, watchClients } from './silent-server.js';
import { statementNames } from './statement-names.js';

/** The options of the connections; times in milliseconds, 0 for no limit. */
export interface ConnectOptions {
  readonly poolSize?: number;
  /** The time that a request waits for a connection of the pool. */
  readonly acquireTimeout?: number;
  readonly statementTimeout?: number;
  /** The time for reading a large page at the pace of its client. */
  readonly pageTimeout?: number;
  readonly lockTimeout?: number;
  readonly idleInTransactionTimeout?: number;
  /** Whether connections prepare named statements; poolers older than pgbouncer 1.21 do not support them. */
  readonly prepare?: boolean;
  /** Whether any of several hosts will do, since the service only reads. */
  readonly readOnly?: boolean;
}

/** A lazy connection pool to a PostgreSQL server; of several hosts in the address, to the one that accepts changes. */
export function connect(url: string, options: ConnectOptions = {}): Sequelize {
  const acquire = options.acquireTimeout ?? 2_000;
  const target = connectionTarget(url);
  const sequelize = new Sequelize({
    dialect: 'postgres',
    ...target.options,
    logging: false,
    ...ofOurOwn,
    pool: { max: options.poolSize ?? 10, min: 0, acquire, idle: 30_000 },
  });
  watchClients(sequelize);
  if (target.servers.length > 1) findPrimary(sequelize, target.servers, options.readOnly ?? false);
  const statementTimeout = options.statementTimeout ?? 5_000;
  const names = (options.prepare ?? true) ? statementNames() : undefined;
  const settings = sessionSettings(statementTimeout, options);
  adaptSession(sequelize, { statementTimeout, pageTimeout: options.pageTimeout ?? 120_000, names, settings });
  const commands = Object.entries(settings).map(([name, value]) => `SET ${name} TO '${value}'`);
  sequelize.addHook('afterConnect', (connection) =>
    setUpSession(connection as RawConnection, sessionOf(sequelize).isShared ? undefined : commands.join(';')),
  );
  return sequelize;
}

// Not declared in Sequelize's types. The session's settings are set below; Sequelize would send its own in another
// round trip. With a given version it opens no extra connection to ask for it; the oldest supported one is given.
const ofOurOwn: object = { keepDefaultTimezone: true, databaseVersion: '14.0.0' };

interface RawConnection {
  readonly query: (text: string) => Promise<unknown>;
  readonly connection: object;
}

// Values travel as text in both directions, so their form must not depend on the server's configuration.
// SET, and not the start-up packet, because connection poolers refuse parameters they do not know there.
function sessionSettings(statementTimeout: number, options: ConnectOptions): Session['settings'] {
  return {
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
    // Without statistics, recursive queries and large expansions look so expensive that a second of JIT compilation
    // precedes milliseconds of execution; limited pages gain nothing from it.
    jit: 'off',
  };
}

// A connection whose set-up failed is not in the pool yet, so it must be closed here.
async function setUpSession(connection: RawConnection, settings: string | undefined): Promise<void> {
  try {
    if (settings !== undefined) await connection.query(settings);
    markReady(connection);
  } catch (error) {
    giveUp(connection);
    throw error instanceof Error ? new ConnectionError(error) : error;
  }
}
