import { type Pool, TimeoutError } from 'sequelize-pool';
import type { Row, Statement } from '../sql/statement.js';
import type { CancellableClient } from './cancel.js';
import { ConnectionError, isServerFull } from './failures.js';
import type { ModelDefinition } from './sequelize.js';
import type { StatementNames } from './statement-names.js';

/** The part of the database driver's client that statements use. */
export interface DatabaseClient extends CancellableClient {
  readonly query: (query: object) => Promise<{ readonly rows: readonly Row[] }>;
}

/** The reading of cells by the driver, for statements of Sequelize; ours read text. */
export interface TypeParsers {
  getTypeParser: (type: number, format?: 'text' | 'binary') => unknown;
}

/** A lazy pool of connections to a PostgreSQL server. */
export interface ConnectionPool {
  readonly clients: Pool<DatabaseClient>;
  /** The connections that work has acquired, and not given back. */
  readonly inUse: Set<DatabaseClient>;
  /** The Sequelize models that handlers can use, by name; each is defined when it is first used. */
  readonly models: Map<string, ModelDefinition>;
  readonly parsers: TypeParsers;
  /** Closes the connections when they are free. */
  readonly close: () => Promise<void>;
}

/** Acquires a connection; where the server has none left, one that the pool has is waited for. */
export async function acquireConnection(pool: ConnectionPool): Promise<DatabaseClient> {
  const { clients, inUse } = pool;
  try {
    const client = await clients.acquire();
    inUse.add(client);
    return client;
  } catch (failure) {
    if (failure instanceof TimeoutError) throw new ConnectionError(Object.assign(failure, tooLate));
    if (isServerFull(failure) && clients.size > 0) return acquireConnection(pool);
    throw failure;
  }
}

const tooLate = { code: 'ETIMEDOUT', message: 'no connection was made or became free in time' };

/** Returns a connection to the pool. */
export function releaseConnection({ clients, inUse }: ConnectionPool, client: DatabaseClient): void {
  inUse.delete(client);
  clients.release(client);
}

/** Closes a connection instead of returning it to the pool. */
export async function destroyConnection({ clients, inUse }: ConnectionPool, client: DatabaseClient): Promise<void> {
  inUse.delete(client);
  await clients.destroy(client);
}

/** The load of the pool. */
export interface PoolState {
  readonly using: number;
  readonly available: number;
  readonly waiting: number;
  readonly most: number;
}

/** Reads the state of the pool. */
export function poolState({ clients }: ConnectionPool): PoolState {
  return { using: clients.using, available: clients.available, waiting: clients.waiting, most: clients.maxSize };
}

/** Whether all connections are in use, so that work that can wait should. */
export function isBusy({ using, most }: PoolState): boolean {
  return using >= most;
}

/** Whether a new request would have to wait for a connection. */
export function isExhausted({ using, waiting, most }: PoolState): boolean {
  return using >= most && waiting > 0;
}

/** Settings that the sessions of a pool share; time limits of statements are in milliseconds, 0 for no limit. */
export interface Session {
  readonly statementTimeout: number;
  /** The limit for a streamed statement, including the time in which its client does not read. */
  readonly pageTimeout: number;
  /** The names of prepared statements; undefined where preparing is disabled. */
  readonly names: StatementNames | undefined;
  readonly settings: Readonly<Record<string, string | number>>;
  /** Whether a pooler on the way shares the server's sessions between transactions of all its clients; then nothing is set for them. */
  readonly isShared: boolean;
  /** Statements that begin every transaction of a shared session, with their names. */
  readonly preamble: readonly { readonly statement: Statement; readonly name: string | undefined }[];
}

const unlimited: Session = { statementTimeout: 0, pageTimeout: 0, names: undefined, settings: {}, isShared: false, preamble: [] };

const sessions = new WeakMap<ConnectionPool, Session>();

/** The common settings of a pool's sessions. */
export function sessionOf(pool: ConnectionPool): Session {
  return sessions.get(pool) ?? unlimited;
}

/** Changes the common settings of a pool's sessions, for what is known only after connecting. */
export function adaptSession(pool: ConnectionPool, change: Partial<Session>): void {
  sessions.set(pool, { ...sessionOf(pool), ...change });
}
