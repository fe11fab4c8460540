import type { Socket } from 'node:net';
import type { Recipient } from '../database/cancel.js';

// One listener per connection, shared by its requests.
const listeners = new WeakMap<Socket, Set<() => void>>();

/** The client at the other end of a connection. */
export function recipientOf(socket: Socket): Recipient {
  return {
    isGone: () => socket.destroyed,
    onGone: (listener) => {
      const all = listeners.get(socket) ?? listenTo(socket);
      all.add(listener);
      return () => void all.delete(listener);
    },
  };
}

function listenTo(socket: Socket): Set<() => void> {
  const all = new Set<() => void>();
  listeners.set(socket, all);
  socket.once('close', () => all.forEach((listener) => listener()));
  return all;
}
