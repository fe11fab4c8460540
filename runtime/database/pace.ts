import type { SessionLimits } from './limits.js';

/** How an unhurried statement is timed: its reader's pauses do not count as its own time. */
export interface Pace {
  /** Statements without rows, to be run in the same packet around it. */
  readonly before: string;
  readonly after: string;
  /** Begins to watch for standstill, which is no row for as long as a whole statement may usually take. */
  readonly watch: () => Watch;
}

/** A watch over one statement. */
interface Watch {
  readonly onRow: () => void;
  readonly onPause: () => void;
  readonly onResume: () => void;
  readonly stop: () => void;
}

/**
 * The pace for a session's limits; none where statements may take any time. The server would count the time in which
 * it cannot send, so it is given the longer limit, and the usual one is kept here. After an error it forgets the first
 * SET itself, as both are within one implicit transaction (PostgreSQL manual, "Extended Query", "Pipelining").
 */
export function paceOf({ statementTimeout, pageTimeout }: SessionLimits, onStandstill: () => void): Pace | undefined {
  if (statementTimeout === 0) return undefined;
  return {
    before: `SET statement_timeout TO ${Math.max(statementTimeout, pageTimeout)}`,
    after: `SET statement_timeout TO ${statementTimeout}`,
    watch: () => watch(statementTimeout, onStandstill),
  };
}

function watch(statementTimeout: number, onStandstill: () => void): Watch {
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => void (timer = setTimeout(onStandstill, statementTimeout));
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  start();
  return { onRow: () => void timer?.refresh(), onPause: stop, onResume: start, stop };
}
