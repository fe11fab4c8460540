import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A database server that dies once, directly after a message it sends, and is back for the next connection. */
interface DyingServer {
  /** The database's address, by this way. */
  readonly url: string;
  /** How many points it has passed at which it could have died, on all connections. */
  readonly passed: () => number;
  readonly stop: () => void;
}

/** How it dies: what the client's socket sees, after the last message. */
export type Death = 'says so' | 'ends' | 'is reset' | 'falls silent';

const headerLength = 5; // a message's type and its length (PostgreSQL manual, "Message Formats")
const dataRow = 68; // 'D'

/** The FATAL message of a killed server's session, in one packet with its previous output. */
const terminating = errorMessage({ S: 'FATAL', V: 'FATAL', C: '57P01', M: 'terminating connection due to unexpected postmaster exit' });

/**
 * Starts a proxy before a database that dies at the point with the number: after a message, including the first rows of
 * a result.
 */
export async function startDyingServer(databaseUrl: string, death: Death, lastPoint: number): Promise<DyingServer> {
  const target = new URL(databaseUrl);
  const state = { passed: 0, rows: 0 };
  const isLast = (message: Buffer): boolean => {
    state.rows = message[0] === dataRow ? state.rows + 1 : 0;
    if (state.rows <= 3) state.passed += 1;
    return state.passed === lastPoint && state.rows <= 3;
  };
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    let silent = false;
    [client, upstream].forEach((socket) => open.add(socket));
    client.on('data', (chunk: Buffer) => void (silent || upstream.write(chunk)));
    upstream.on(
      'data',
      messageReader((messages) => {
        if (silent) return;
        const last = messages.findIndex(isLast);
        silent = last >= 0;
        const passed = silent ? messages.slice(0, last + 1) : messages;
        client.write(Buffer.concat(silent && death === 'says so' ? [...passed, terminating] : passed));
        if (silent) die(client, death);
      }),
    );
    closeTogether(client, upstream, () => silent && death === 'falls silent');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    passed: () => state.passed,
    stop: () => {
      open.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}

function die(client: Socket, death: Death): void {
  if (death === 'says so' || death === 'ends') client.end();
  // Earlier bytes must arrive.
  if (death === 'is reset') setTimeout(() => client.resetAndDestroy(), 5);
}

// A silent one does not even say that it closes.
function closeTogether(client: Socket, upstream: Socket, isSilent: () => boolean): void {
  client.on('close', () => upstream.destroy()).on('error', () => upstream.destroy());
  upstream.on('close', () => void (isSilent() || client.end())).on('error', () => client.destroy());
}

// Whole messages, as many as have come.
function messageReader(take: (messages: readonly Buffer[]) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    while (rest.length >= headerLength && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      messages.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    if (messages.length > 0) take(messages);
  };
}

/** An ErrorResponse message (PostgreSQL manual, "Error and Notice Message Fields"). */
export function errorMessage(fields: Readonly<Record<string, string>>): Buffer {
  const body = Buffer.from(
    Object.entries(fields)
      .map(([field, text]) => `${field}${text}\0`)
      .join('') + '\0',
  );
  const header = Buffer.alloc(headerLength);
  header.write('E', 'latin1');
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}
