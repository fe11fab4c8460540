import type { Sequelize } from 'sequelize';

/** The time limits of a session's statements, in milliseconds; 0 for no limit. */
export interface SessionLimits {
  readonly statementTimeout: number;
  /** The limit for a streamed statement, including the time in which its client does not read. */
  readonly pageTimeout: number;
}

const limits = new WeakMap<Sequelize, SessionLimits>();

/** Stores the limits of these connections' sessions. */
export function keepLimits(sequelize: Sequelize, session: SessionLimits): void {
  limits.set(sequelize, session);
}

/** The limits of these connections' sessions. */
export function limitsOf(sequelize: Sequelize): SessionLimits {
  return limits.get(sequelize) ?? { statementTimeout: 0, pageTimeout: 0 };
}
