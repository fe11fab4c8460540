import { ConnectionAcquireTimeoutError, type Sequelize } from 'sequelize';
import { ConnectionPool, type PoolLimits } from './connection-pool.js';

/** What Sequelize's manager of connections has, as far as it matters here. */
interface Manager {
  pool: ConnectionPool;
  readonly config: object;
  readonly connect: (config: object) => Promise<object>;
  readonly disconnect: (connection: object) => Promise<unknown>;
  readonly validate: (connection: object) => boolean;
}

// Not in the declaration.
function managerOf({ connectionManager }: Sequelize): Manager {
  return connectionManager as unknown as Manager;
}

/** Gives connections a pool of our own, which Sequelize's own statements take theirs from too; each is set up before it is lent. */
export function installPool(sequelize: Sequelize, limits: Omit<PoolLimits, 'tooLate'>, setUp: (connection: object) => Promise<void>): void {
  const manager = managerOf(sequelize);
  const open = async (): Promise<object> => {
    const connection = await manager.connect(manager.config);
    await setUp(connection);
    return connection;
  };
  const close = (connection: object): Promise<unknown> => manager.disconnect(connection);
  const isUsable = (connection: object): boolean => manager.validate(connection);
  const tooLate = (): Error => new ConnectionAcquireTimeoutError(new Error(`No connection was free within ${limits.patience} ms.`));
  manager.pool = new ConnectionPool({ open, close, isUsable }, { ...limits, tooLate });
}

/** The connections of the pool. */
export function poolOf(sequelize: Sequelize): ConnectionPool {
  return managerOf(sequelize).pool;
}
