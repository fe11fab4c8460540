import type { EventEmitter } from 'node:events';
import { Socket, type ConnectOpts, type SocketConstructorOpts } from 'node:net';

const lending = new WeakSet<EventEmitter>();

/**
 * A socket that reads into one buffer, where Node would allocate 64 kB for every read: they are outside of the heap,
 * and are collected only when there are 32 MB.
 */
export function openSocket(): Socket {
  // Node's documentation lists it among the constructor's options too.
  const options: SocketConstructorOpts & ConnectOpts = {
    onread: { buffer: Buffer.allocUnsafeSlow(64 * 1024), callback: (length, bytes) => give(bytes, length) },
  };
  const socket = new Socket(options);
  const give = (bytes: Uint8Array, length: number): boolean => {
    const lent = Buffer.from(bytes.buffer, bytes.byteOffset, length);
    socket.emit('data', lending.has(socket) ? lent : Buffer.from(lent));
    return true;
  };
  return socket;
}

/** Marks the bytes of such a socket as borrowed: listeners must copy what they keep. */
export function borrowBytes(socket: EventEmitter): void {
  lending.add(socket);
}
