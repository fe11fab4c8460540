import { ConnectionAcquireTimeoutError, type Sequelize } from 'sequelize';
import type { Statement } from '../sql/statement.js';
import type { StatementNames } from './statement-names.js';

/** The used part of sequelize-pool. */
export interface Pool {
  readonly using: number;
  readonly available: number;
  readonly waiting: number;
  readonly maxSize: number;
  readonly acquire: () => Promise<object>;
}

/** The connection pool of Sequelize. */
function poolOf({ connectionManager }: Sequelize): Pool {
  // Not declared in Sequelize's types.
  return (connectionManager as unknown as { readonly pool: Pool }).pool;
}

/** Acquires a connection. Sequelize's own method runs hooks before and after, which doubles the cost. */
export async function acquireConnection(sequelize: Sequelize): Promise<object> {
  try {
    return await poolOf(sequelize).acquire();
  } catch (failure) {
    // Sequelize wraps the pool's error, which has no name.
    throw failure instanceof Error && failure.constructor.name === 'TimeoutError' ? new ConnectionAcquireTimeoutError(failure) : failure;
  }
}

/** The load of the pool. */
export interface PoolState {
  readonly using: number;
  readonly available: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
  readonly most: number;
}

/** Reads the state of the pool. */
export function poolState(sequelize: Sequelize): PoolState {
  const pool = poolOf(sequelize);
  return { using: pool.using, available: pool.available, waiting: pool.waiting, most: pool.maxSize };
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
  /** The settings of each session by name. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** Whether a pooler on the way shares the server's sessions between transactions of all its clients; then nothing is set for them. */
  readonly isShared: boolean;
  /** Statements that begin every transaction of a shared session, with their names. */
  readonly preamble: readonly { readonly statement: Statement; readonly name: string | undefined }[];
}

const unlimited: Session = { statementTimeout: 0, pageTimeout: 0, names: undefined, settings: {}, isShared: false, preamble: [] };

const sessions = new WeakMap<Sequelize, Session>();

/** The common settings of a pool's sessions. */
export function sessionOf(sequelize: Sequelize): Session {
  return sessions.get(sequelize) ?? unlimited;
}

/** Changes the common settings of a pool's sessions, for what is known only after connecting. */
export function adaptSession(sequelize: Sequelize, change: Partial<Session>): void {
  sessions.set(sequelize, { ...sessionOf(sequelize), ...change });
}
