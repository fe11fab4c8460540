import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** How a server ends, in milliseconds. */
export interface DrainTimes {
  /** Before it stops to listen, while readiness already says no. */
  readonly drainDelay: number;
  /** Until connections are cut that still have a request under way. */
  readonly drainTimeout: number;
}

/** Stops to listen, lets requests under way end, and closes every connection as soon as it is idle. */
export async function drainServer(server: Server, { drainDelay, drainTimeout }: DrainTimes): Promise<void> {
  await delay(drainDelay);
  const closed = new Promise<void>((done) => server.close(() => done()));
  // An answer that was begun before said nothing of closing; its connection is idle only afterwards.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), drainTimeout);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
