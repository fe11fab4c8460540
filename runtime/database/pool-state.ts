import type { Sequelize } from 'sequelize';
import { poolOf } from './pool.js';

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

/** Whether a new request would have to wait for a connection. */
export function isExhausted({ using, waiting, most }: PoolState): boolean {
  return using >= most && waiting > 0;
}
