import { connect } from 'node:net';

/** Sends bytes as they are, and gives all that comes back until the connection ends. */
export function exchangeRaw(root: string, parts: readonly (string | number)[]): Promise<string> {
  const { hostname, port } = new URL(root);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => void sendParts());
    // A number is a pause in milliseconds.
    const sendParts = async (): Promise<void> => {
      for (const part of parts) {
        if (typeof part === 'string') socket.write(part, 'latin1');
        else await new Promise((done) => setTimeout(done, part));
      }
    };
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    // The server may end the connection while the rest is still being sent.
    socket.on('error', (failure: NodeJS.ErrnoException) =>
      failure.code === 'ECONNRESET' || failure.code === 'EPIPE' ? resolve(answer) : reject(failure),
    );
    socket.on('close', () => resolve(answer));
  });
}
