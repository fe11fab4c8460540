import type { ClientConfig } from 'pg';
import { Pool } from 'sequelize-pool';
import { connectionTarget, type ServerAddress } from './address.js';
import { types } from './driver.js';
import { ConnectionError, isServerFull } from './failures.js';
import { findPrimary } from './find-primary.js';
import { adaptSession, type ConnectionPool, type DatabaseClient, type Session, sessionOf, type TypeParsers } from './pool.js';
import { giveUp, markReady, WatchedClient } from './silent-server.js';
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
  /** Reports that another of several hosts is the primary now. */
  readonly onPrimary?: (sentence: string) => void;
}

/** Milliseconds after which an unused connection is closed. */
const idleTimeout = 30_000;

/** Milliseconds for which a pool opens no connections after the server had none left. */
const fullFor = 5_000;

/** A lazy connection pool to a PostgreSQL server; of several hosts in the address, to the one that accepts changes. */
export function connect(url: string, options: ConnectOptions = {}): ConnectionPool {
  const { client: settings, servers } = connectionTarget(url);
  // Sequelize replaces the reading of cells for its own statements.
  const parsers: TypeParsers = { getTypeParser: types.getTypeParser as TypeParsers['getTypeParser'] };
  const source = findPrimary(servers, options, (server, patience) => openClient({ ...settings, ...server, ...patience, types: parsers }));
  const most = options.poolSize ?? 10;
  const factory: Factory = {
    create: async () => {
      const client = await source.open().catch((failure: unknown) => {
        if (isServerFull(failure)) keepToOpen(clients, factory, most);
        throw failure;
      });
      // The driver reports a lost connection that nobody uses.
      client.on('error', () => void clients.destroy(client));
      await setUpSession(client, sessionOf(pool).isShared ? undefined : commands.join(';'));
      return client;
    },
    destroy: (client) => (client as OpenClient).end(),
    validate: source.isValid,
    max: most,
    min: 0,
    acquireTimeoutMillis: options.acquireTimeout ?? 2_000,
    idleTimeoutMillis: idleTimeout,
  };
  const clients = new Pool(factory);
  const close = async (): Promise<void> => {
    await clients.drain();
    await clients.destroyAllNow();
  };
  const pool: ConnectionPool = { clients, inUse: new Set(), models: new Map(), parsers, close };
  const statementTimeout = options.statementTimeout ?? 5_000;
  const names = (options.prepare ?? true) ? statementNames() : undefined;
  const sessionWide = sessionSettings(statementTimeout, options);
  adaptSession(pool, { statementTimeout, pageTimeout: options.pageTimeout ?? 120_000, names, settings: sessionWide });
  const commands = Object.entries(sessionWide).map(([name, value]) => `SET ${name} TO '${value}'`);
  return pool;
}

type Factory = ConstructorParameters<typeof Pool<DatabaseClient>>[0];

// Requests then wait for the open connections, instead of asking the server for each.
function keepToOpen({ using, available }: Pool<DatabaseClient>, factory: Factory, most: number): void {
  factory.max = Math.max(1, using + available);
  setTimeout(() => (factory.max = most), fullFor).unref();
}

/** The driver's client, as statements use it and as the pool ends it. */
type OpenClient = DatabaseClient & Pick<WatchedClient, 'on' | 'end'>;

async function openClient(settings: ServerAddress & ClientConfig): Promise<OpenClient> {
  const client = new WatchedClient(settings);
  try {
    await client.connect();
  } catch (failure) {
    throw new ConnectionError(failure as Error);
  }
  // The driver's types lack members of the client.
  return client as unknown as OpenClient;
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
    // Each statement then sees what others have committed before it, and waits for a row instead of failing.
    default_transaction_isolation: 'read committed',
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
async function setUpSession(client: DatabaseClient, settings: string | undefined): Promise<void> {
  try {
    // In the simple protocol, which accepts several statements.
    if (settings !== undefined) await client.query({ text: settings });
    markReady(client);
  } catch (error) {
    giveUp(client);
    throw error instanceof Error ? new ConnectionError(error) : error;
  }
}
