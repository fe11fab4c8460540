import type { Sequelize } from 'sequelize';

/** How long statements of a session may take, in milliseconds; 0 for no limit. */
export interface SessionLimits {
  readonly statementTimeout: number;
  /** The whole of an unhurried statement, the time in which its reader takes nothing included. */
  readonly pageTimeout: number;
}

const limits = new WeakMap<Sequelize, SessionLimits>();

/** Keeps the limits that the sessions of these connections have. */
export function keepLimits(sequelize: Sequelize, session: SessionLimits): void {
  limits.set(sequelize, session);
}

/** The limits of these connections' sessions. */
export function limitsOf(sequelize: Sequelize): SessionLimits {
  return limits.get(sequelize) ?? { statementTimeout: 0, pageTimeout: 0 };
}
