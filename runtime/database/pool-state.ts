import type { Sequelize } from 'sequelize';
import { poolOf } from './pool.js';

/** How busy the connections are. */
export interface PoolState {
  readonly using: number;
  readonly available: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
  readonly most: number;
}

/** The pool's own account. */
export function poolState(sequelize: Sequelize): PoolState {
  const pool = poolOf(sequelize);
  return { using: pool.using, available: pool.available, waiting: pool.waiting, most: pool.maxSize };
}

/** Whether a request that needs the database would have to queue behind others. */
export function isExhausted({ using, waiting, most }: PoolState): boolean {
  return using >= most && waiting > 0;
}
