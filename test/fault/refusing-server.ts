import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { errorMessage } from './dying-server.js';

/** When a server ends a session: before it is there, while its settings are made, or while nobody asks anything of it. */
export type Moment = 'connecting' | 'setting up' | 'idle';

/** A database server that ends sessions on request, with the given state. */
interface RefusingServer {
  /** The database's address, by this way. */
  readonly url: string;
  /** Ends the sessions that are there, and those that come at that moment; idle ones only once. */
  readonly refuse: (moment: Moment, state: string) => Promise<void>;
  readonly accept: () => void;
  readonly stop: () => void;
}

const readyForQuery = 90; // 'Z'

/** Starts a proxy before the database of an address. */
export async function startRefusingServer(databaseUrl: string): Promise<RefusingServer> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let refusal: { readonly moment: Moment; readonly message: Buffer } | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    let isReady = false;
    open.add(client.on('error', () => upstream.destroy()).on('close', () => (open.delete(client), upstream.destroy())));
    upstream.on('error', () => client.destroy()).on('close', () => client.end());
    client.on('data', (chunk: Buffer) => {
      if (refusal?.moment === (isReady ? 'setting up' : 'connecting')) client.end(refusal.message);
      else upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      // The last message of an answer has six bytes (PostgreSQL manual, "Message Formats").
      isReady ||= chunk[chunk.length - 6] === readyForQuery;
      if (client.writable) client.write(chunk);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) });
  return {
    url: url.href,
    refuse: async (moment, state) => {
      const message = errorMessage({ S: 'FATAL', V: 'FATAL', C: state, M: 'ended on purpose' });
      const closed = [...open].map((client) => new Promise<void>((done) => void client.once('close', () => done()).end(message)));
      await Promise.all(closed);
      refusal = moment === 'idle' ? undefined : { moment, message };
    },
    accept: () => (refusal = undefined),
    stop: () => {
      open.forEach((client) => client.destroy());
      server.close();
    },
  };
}
