import type { CancellableClient } from './cancel.js';

/** Milliseconds beyond the server's own limit, for the way to it and back. */
const grace = 1_000;

/**
 * Gives up a server that says nothing any more, not even that a statement took too long: its machine is gone, or the
 * network between. Without it the system would wait for a quarter of an hour.
 */
export async function withinTime<T>(client: CancellableClient, statementTimeout: number, answer: Promise<T>): Promise<T> {
  if (statementTimeout === 0) return answer;
  const watch = watches.get(client) ?? watchFor(client, statementTimeout);
  watches.set(client, watch);
  watch.begin();
  try {
    return await answer;
  } finally {
    watch.end();
  }
}

interface Watch {
  readonly begin: () => void;
  readonly end: () => void;
}

const watches = new WeakMap<CancellableClient, Watch>();

// One timer a client, which begins anew with each answer that is waited for: to make one and take it away costs as much as to send a statement.
function watchFor(client: CancellableClient, statementTimeout: number): Watch {
  let awaited = 0;
  let changes = 0;
  // The grace begins when this process runs: where it or the machine stood still, the answer is on its way, or lies there unread.
  const judgeLater = (): void => {
    const seen = changes;
    const judge = (): unknown => awaited > 0 && changes === seen && giveUp(client);
    if (awaited > 0) setTimeout(() => setImmediate(judge), grace).unref();
  };
  const silent = setTimeout(judgeLater, statementTimeout).unref();
  return {
    begin: () => {
      awaited += 1;
      changes += 1;
      silent.refresh();
    },
    end: () => {
      awaited -= 1;
      changes += 1;
    },
  };
}

/** Ends a connection without a word to the server. What waits for it fails, and the pool opens another. */
export function giveUp(client: Pick<CancellableClient, 'connection'>): void {
  socketOf(client).destroy(Object.assign(new Error('The database server does not answer.'), { code: 'ETIMEDOUT' }));
}

/** Whether a connection was given up, or ended by itself. */
export function isGivenUp(client: Pick<CancellableClient, 'connection'>): boolean {
  return socketOf(client).destroyed;
}

// The driver's.
function socketOf({ connection }: Pick<CancellableClient, 'connection'>): {
  readonly destroyed: boolean;
  readonly destroy: (reason: Error) => unknown;
} {
  return (connection as { readonly stream: { readonly destroyed: boolean; readonly destroy: (reason: Error) => unknown } }).stream;
}
