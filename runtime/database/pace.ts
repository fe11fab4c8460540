import type { SessionLimits } from './limits.js';

/** The timing of a streamed statement: pauses of its client do not count. */
export interface Pace {
  /** Statements without rows, sent before it in the same packet. */
  readonly before: string;
  readonly after: string;
  /** Begins to watch for a standstill: no row for the usual time limit of a whole statement. */
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
 * The pace under a session's limits; undefined where there is no limit. The server counts the time in which it cannot
 * send, so it gets the longer limit, and the usual one is enforced here. After an error the SET is undone, as both are
 * in one implicit transaction (PostgreSQL manual, "Extended Query", "Pipelining").
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
