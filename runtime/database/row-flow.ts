import { judgeSilence } from './judge-silence.js';
import type { Session } from './pool.js';

/** Pauses the socket of a statement while the consumer of its rows is busy. */
export interface Brake {
  /** Pauses until the promise is settled. */
  readonly until: (pending: Promise<void>) => void;
  /** Resumes a paused socket, because the next rows belong to another statement. */
  readonly release: () => void;
}

/** The brake of a socket, which a watch does not count as a standstill. */
export function brakeOf(socket: NodeJS.ReadWriteStream, watch: Pick<Watch, 'onPause' | 'onResume'> | undefined): Brake {
  let pending = 0;
  let released = false;
  const settle = (): void => {
    pending -= 1;
    if (pending > 0 || released) return;
    watch?.onResume();
    socket.resume();
  };
  return {
    until: (promise) => {
      pending += 1;
      if (pending === 1) {
        socket.pause();
        watch?.onPause();
      }
      promise.then(settle, settle);
    },
    release: () => {
      released = true;
      if (pending > 0) socket.resume();
    },
  };
}

/** The timing of a streamed statement: pauses of its client do not count. */
export interface Pace {
  /** Statements without rows, sent before it in the same packet. */
  readonly before: string;
  readonly after: string;
  /** Begins to watch for a standstill: no row for the usual time limit of a whole statement. */
  readonly watch: () => Watch;
}

/** A watch over one statement. */
export interface Watch {
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
export function paceOf({ statementTimeout, pageTimeout }: Session, onStandstill: () => void): Pace | undefined {
  if (statementTimeout === 0) return undefined;
  return {
    before: `SET statement_timeout TO ${Math.max(statementTimeout, pageTimeout)}`,
    after: `SET statement_timeout TO ${statementTimeout}`,
    watch: () => watch(statementTimeout, onStandstill),
  };
}

function watch(statementTimeout: number, onStandstill: () => void): Watch {
  let timer: NodeJS.Timeout | undefined;
  let changes = 0;
  const isLate = (): void => {
    const seen = changes;
    judgeSilence(() => changes === seen && onStandstill());
  };
  const onRow = (): void => {
    changes += 1;
    timer?.refresh();
  };
  const start = (): void => void (timer = setTimeout(isLate, statementTimeout));
  const stop = (): void => {
    changes += 1;
    clearTimeout(timer);
    timer = undefined;
  };
  start();
  return { onRow, onPause: stop, onResume: start, stop };
}
