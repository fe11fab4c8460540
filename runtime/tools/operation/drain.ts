import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** The times of a graceful end, in milliseconds. */
export interface DrainTimes {
  /** The time between failing readiness and closing the listener. */
  readonly drainDelay: number;
  /** The time until connections with running requests are closed. */
  readonly drainTimeout: number;
}

/** Stops listening, lets running requests finish, and closes connections as they become idle. */
export async function drainServer(server: Server, { drainDelay, drainTimeout }: DrainTimes): Promise<void> {
  await delay(drainDelay);
  const closed = new Promise<void>((done) => server.close(() => done()));
  // An answer begun earlier lacks Connection: close; its connection becomes idle only afterwards.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), drainTimeout);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
