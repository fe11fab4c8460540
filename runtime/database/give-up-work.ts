import { setTimeout as delay } from 'node:timers/promises';
import { cancelStatement } from './cancel.js';
import type { ConnectionPool } from './pool.js';
import { giveUp, isOpen } from './silent-server.js';

/** Milliseconds that cancelled work has to give its connections back. */
const patience = 1_000;

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
  await delay(patience, undefined, { ref: false });
  [...inUse].filter(isOpen).forEach(giveUp);
}
