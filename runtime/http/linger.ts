import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Milliseconds that the rest of an answered request is read for: between two chunks, and in all. */
const patience = { pause: 2_000, total: 30_000 } as const;

/**
 * Reads and discards the rest of a request, within bounds, before its connection is closed. The system resets a
 * connection that is closed with unread bytes, and the client loses the answer (RFC 9112, 9.6).
 */
export function discardRest(request: IncomingMessage, done: () => void): void {
  const end = (): void => {
    clearTimeout(paused);
    clearTimeout(late);
    request.off('end', end).off('close', end);
    done();
  };
  const paused = setTimeout(end, patience.pause);
  const late = setTimeout(end, patience.total);
  request.once('end', end).once('close', end);
  request.on('data', () => paused.refresh()).resume();
}

/** Closes a connection that has had its last answer, and whose rest the parser discards. */
export function closeLater(socket: Duplex): void {
  const late = setTimeout(() => socket.destroy(), patience.total).unref();
  socket.once('close', () => clearTimeout(late));
}
