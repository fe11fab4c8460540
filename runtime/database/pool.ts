import { ConnectionAcquireTimeoutError, type Sequelize } from 'sequelize';

/** The pool of sequelize-pool, as far as it matters here. */
export interface Pool {
  readonly using: number;
  readonly available: number;
  readonly waiting: number;
  readonly maxSize: number;
  readonly acquire: () => Promise<object>;
}

/** The connections of the pool; its own account of them. */
export function poolOf({ connectionManager }: Sequelize): Pool {
  // Not in the declaration.
  return (connectionManager as unknown as { readonly pool: Pool }).pool;
}

/** A connection, as soon as there is one. Sequelize's own way to it runs hooks before and after, and costs as much again. */
export async function acquireConnection(sequelize: Sequelize): Promise<object> {
  try {
    return await poolOf(sequelize).acquire();
  } catch (failure) {
    // Sequelize gives the pool's error a name of its own, since that one has none.
    throw failure instanceof Error && failure.constructor.name === 'TimeoutError' ? new ConnectionAcquireTimeoutError(failure) : failure;
  }
}
