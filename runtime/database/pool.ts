import { ConnectionAcquireTimeoutError, type Sequelize } from 'sequelize';

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
