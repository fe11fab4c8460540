import type { OnRow, RowBytes } from '../sql/statement.js';
import type { Session } from './connect.js';
import { tapOf } from './row-tap.js';

/** The rows of a statement between the socket and their consumer. */
export interface RowFlow {
  readonly take: (row: RowBytes) => void;
  /** Ends the flow and resumes the socket; returns the error thrown at a row. */
  readonly close: () => { readonly reason: unknown } | undefined;
}

/** Passes the rows of a socket to `onRow`, and pauses the socket while that is busy. */
export function openRows(
  socket: NodeJS.ReadWriteStream,
  { onRow, pace }: { readonly onRow: OnRow; readonly pace?: Pace | undefined },
): RowFlow {
  let failed: { readonly reason: unknown } | undefined;
  const watch = pace?.watch();
  const brake = brakeOf(socket, watch);
  const take = (row: RowBytes): void => {
    watch?.onRow();
    if (failed !== undefined) return;
    try {
      const pending = onRow(row);
      if (pending !== undefined) brake.until(pending);
    } catch (reason) {
      // An exception in the socket's listener would end the process.
      failed = { reason };
    }
  };
  const closeTap = tapOf(socket).open(take);
  return {
    take,
    close: () => {
      closeTap();
      watch?.stop();
      brake.release();
      return failed;
    },
  };
}

interface Brake {
  /** Pauses until the promise is settled. */
  readonly until: (pending: Promise<void>) => void;
  /** Resumes a paused socket, because the next rows belong to another statement. */
  readonly release: () => void;
}

function brakeOf(
  socket: NodeJS.ReadWriteStream,
  watch: { readonly onPause: () => void; readonly onResume: () => void } | undefined,
): Brake {
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
  const start = (): void => void (timer = setTimeout(onStandstill, statementTimeout));
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  start();
  return { onRow: () => void timer?.refresh(), onPause: stop, onResume: start, stop };
}
