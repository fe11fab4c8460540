import type { ClientConfig } from 'pg';
import { type CancellableClient, cancelStatement } from './cancel.js';
import { Client } from './driver.js';
import { judgeSilence } from './judge-silence.js';
import { memoized } from '../edm/memoized.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionPool } from './pool.js';

/**
 * Closes the connection to a server that does not answer even with a timeout error: its machine or the network has
 * failed. Otherwise the system would wait for a quarter of an hour.
 */
export async function withinTime<T>(client: CancellableClient, statementTimeout: number, answer: Promise<T>): Promise<T> {
  if (statementTimeout === 0) return answer;
  const watch = watchFor(client, statementTimeout);
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

// One timer per client, refreshed for each answer: creating and clearing one costs as much as sending a statement.
const watchFor = memoized((client: CancellableClient, statementTimeout: number): Watch => {
  let pending = 0;
  let changes = 0;
  const isLate = (): void => {
    const seen = changes;
    if (pending > 0) judgeSilence(() => pending > 0 && changes === seen && giveUp(client));
  };
  const silent = setTimeout(isLate, statementTimeout).unref();
  return {
    begin: () => {
      pending += 1;
      changes += 1;
      silent.refresh();
    },
    end: () => {
      pending -= 1;
      changes += 1;
    },
  };
});

/** Closes a connection without notice to the server. Waiting statements fail, and the pool opens another. */
export function giveUp(client: Pick<CancellableClient, 'connection'>): void {
  socketOf(client).destroy(Object.assign(new Error('The database server does not respond.'), { code: 'ETIMEDOUT' }));
}

/** Whether a connection is open: neither side has closed it. */
export function isOpen(client: Pick<CancellableClient, 'connection'>): boolean {
  return !socketOf(client).destroyed;
}

function socketOf({ connection }: Pick<CancellableClient, 'connection'>): {
  readonly destroyed: boolean;
  readonly destroy: (reason: Error) => unknown;
} {
  return (connection as { readonly stream: { readonly destroyed: boolean; readonly destroy: (reason: Error) => unknown } }).stream;
}

/** Time limits in milliseconds for connecting with session set-up, and for closing. */
const patience = { ready: 5_000, end: 1_000 };

const settingUp = new WeakMap<object, NodeJS.Timeout>();

/**
 * A client of the driver with an error listener from its creation, and with limits for its set-up and end. The error of
 * a server that dies before the pool listens would end the process, and a silent server would occupy the pool for good.
 */
export class WatchedClient extends Client {
  constructor(options: ClientConfig) {
    super(options);
    // The client records the error, and its next statement fails.
    this.on('error', () => undefined);
    settingUp.set(this, limited(this, patience.ready));
  }

  override async end(): Promise<void> {
    limited(this, patience.end);
    await super.end();
  }
}

/** Marks the session of a client as ready. */
export function markReady(client: object): void {
  clearInterval(settingUp.get(client));
}

/** The parts of a time limit: a pause of the process, in which answers stay unread, takes one of them at most. */
const parts = 5;

function limited(client: InstanceType<typeof Client>, milliseconds: number): NodeJS.Timeout {
  let left = parts;
  const clock = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(clock);
    // The driver's types lack its connection.
    giveUp(client as unknown as CancellableClient);
  }, milliseconds / parts);
  client.once('end', () => clearInterval(clock));
  return clock.unref();
}

/** Milliseconds that cancelled work has to give its connections back. */
const cancelPatience = 1_000;

/** Whether work of a pool has a connection that is open. */
export function isWorking({ inUse }: ConnectionPool): boolean {
  return [...inUse].some(isOpen);
}

/**
 * Cancels all statements that run, and closes the connections whose work goes on all the same. A session would not
 * notice a closed connection while it waits for a lock, and might commit afterwards; a cancelled one rolls back.
 */
export async function giveUpWork({ inUse }: ConnectionPool): Promise<void> {
  await Promise.allSettled([...inUse].filter(isOpen).map(cancelStatement));
  await delay(cancelPatience, undefined, { ref: false });
  [...inUse].filter(isOpen).forEach(giveUp);
}
