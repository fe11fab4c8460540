import type { OnRow, RowBytes } from '../sql/statement.js';
import type { Pace } from './pace.js';
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
  /** Resumes whatever is pending: the next statement's rows are not this one's. */
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
