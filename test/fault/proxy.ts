import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to the database that can be cut in every manner. */
export interface FaultProxy {
  /** The database's address, by this way. */
  readonly url: string;
  /** Cuts every connection with a reset. */
  readonly reset: () => void;
  /** Ends every connection in the orderly way. */
  readonly end: () => void;
  /** Refuses new connections, and cuts the others. */
  readonly refuse: (refuse: boolean) => void;
  /** Lets nothing through in either direction, as a network does whose cable is out. */
  readonly stall: (stall: boolean) => void;
  /** Cuts each connection after so many bytes of answers. */
  readonly cutAfter: (bytes: number | undefined) => void;
  /** How many pieces of bytes clients have sent: round trips, where each waits for its answer. */
  readonly packets: () => number;
  /** Forwards to another port from now on. */
  readonly lead: (port: number) => void;
  readonly stop: () => void;
}

/** Starts a proxy before the database of an address. */
export async function startProxy(databaseUrl: string): Promise<FaultProxy> {
  const target = new URL(databaseUrl);
  const state = { port: Number(target.port || 5432), refusing: false, stalled: false, cut: undefined as number | undefined, packets: 0 };
  const open = new Set<Socket>();
  const server = createServer((client) => {
    if (state.refusing) return void client.resetAndDestroy();
    const upstream = connect(state.port, target.hostname);
    let passed = 0;
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.on('data', (chunk: Buffer) => {
        if (from === client) state.packets += 1;
        if (state.stalled) return;
        if (from === upstream) passed += chunk.length;
        if (state.cut === undefined || passed <= state.cut) return void to.write(chunk);
        to.write(chunk.subarray(0, chunk.length / 2), () => client.resetAndDestroy());
      });
      from.on('end', () => to.end());
      from.on('close', () => (open.delete(from), to.destroy()));
      // Cutting is what this is for.
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  // The system does not reset what is ended already, and Node would keep it for ever.
  const reset = (): void => open.forEach((socket) => (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy()));
  return {
    url: url.href,
    reset,
    end: () => open.forEach((socket) => socket.end()),
    refuse: (refuse) => {
      state.refusing = refuse;
      if (refuse) reset();
    },
    stall: (stall) => void (state.stalled = stall),
    cutAfter: (bytes) => void (state.cut = bytes),
    packets: () => state.packets,
    lead: (port) => void (state.port = port),
    stop: () => {
      open.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}
