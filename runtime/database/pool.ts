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
export function poolOf({ connectionManager }: Sequelize): Pool {
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
