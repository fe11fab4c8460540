import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client that reads on request, which HTTP libraries do not offer. */
export interface RawClient {
  readonly socket: Socket;
  /** Resolves at the first bytes of the answer, and reads no further; there may be none. */
  readonly begun: Promise<void>;
  /** Reads all that is left, until the answer or the connection ends; gives everything since the request. */
  readonly rest: () => Promise<Answer>;
}

/** The bytes received, and whether they include the last chunk. */
interface Answer {
  readonly status: number;
  readonly body: string;
  readonly whole: boolean;
}

/** Sends a request, and resolves when the server has it; of the answer nothing is taken yet. */
export async function sendRaw(
  method: string,
  url: string,
  token: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawClient> {
  const { port, pathname, search } = new URL(url);
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  const pieces: Buffer[] = [];
  let paused = false;
  const further = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const content = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  socket.write(
    `${method} ${pathname}${search} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\nExpect: 100-continue\r\n${further}${content}\r\n${body ?? ''}`,
  );
  const begun = new Promise<void>((resolve) => {
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      if (paused || length(pieces) === continued.length) return;
      paused = true;
      socket.pause();
      resolve();
    });
  });
  await once(socket, 'data');
  return {
    socket,
    begun,
    rest: async () => {
      if (!socket.closed) await new Promise<void>((closed) => socket.once('close', () => closed()).resume());
      return readAnswer(Buffer.concat(pieces).subarray(continued.length));
    },
  };
}

// Node's answer when it passes the request to the service.
const continued = 'HTTP/1.1 100 Continue\r\n\r\n';

function length(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

function readAnswer(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const content = bytes.subarray(end + 4);
  if (!/transfer-encoding: chunked/i.test(head))
    return { status, body: content.toString('utf8'), whole: content.length === Number(/content-length: (\d+)/i.exec(head)?.[1]) };
  const chunks = [...chunksOf(content)];
  return { status, body: Buffer.concat(chunks).toString('utf8'), whole: chunks.at(-1)?.length === 0 };
}

function* chunksOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; ;) {
    const line = content.indexOf('\r\n', at);
    const size = line < 0 ? Number.NaN : Number.parseInt(content.toString('latin1', at, line), 16);
    if (Number.isNaN(size) || content.length < line + 2 + size + 2) return;
    yield content.subarray(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
}
