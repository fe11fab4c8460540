/** The part of the driver's client that cancellation uses. */
export interface CancellableClient {
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
  readonly sslNegotiation: string;
  readonly processID: number;
  readonly secretKey: number;
  readonly connection: object;
}

/** The part of the driver's connection that sends a cancel request. */
interface WireConnection {
  readonly stream: { readonly destroy: (reason: Error) => unknown };
  readonly once: (event: 'connect' | 'sslconnect' | 'end', listener: () => void) => unknown;
  readonly on: (event: 'error', listener: (reason: Error) => void) => unknown;
  readonly connect: (port: number | string, host?: string) => void;
  readonly requestSsl: () => void;
  readonly cancel: (processID: number, secretKey: number) => void;
}

/** Cancels the statement of a session, at most once. */
export interface Cancellation {
  readonly request: () => void;
  /**
   * Resolves when no cancellation can arrive any more; throws when the request for one failed. Undefined where none was
   * requested.
   */
  readonly settled: () => Promise<void> | undefined;
}

/** A cancellation for a client's current statement, whichever that is at the time. */
export function cancellationOf(client: CancellableClient): Cancellation {
  let outcome: Promise<unknown> | undefined;
  return {
    request: () => void (outcome ??= cancelStatement(client).catch((reason: unknown) => reason)),
    settled: () =>
      outcome?.then((failure) => {
        if (failure !== undefined) throw failure;
      }),
  };
}

const patience = 2_000;

// A separate connection, which the server closes when the session has been signalled, so that a later statement cannot
// be hit (PostgreSQL manual, "Canceling Requests in Progress").
function cancelStatement(client: CancellableClient): Promise<undefined> {
  const wire = openWire(client);
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => wire.stream.destroy(Object.assign(new Error('The cancellation of a statement took too long.'), { code: 'ETIMEDOUT' })),
      patience,
    );
    let failure: Error | undefined;
    wire.on('error', (reason) => (failure ??= reason));
    wire.once('end', () => {
      clearTimeout(late);
      if (failure === undefined) resolve(undefined);
      else reject(failure);
    });
    const { host, port, processID, secretKey } = client;
    const send = (): void => wire.cancel(processID, secretKey);
    wire.once(client.ssl ? 'sslconnect' : 'connect', send);
    if (client.ssl && client.sslNegotiation !== 'direct') wire.once('connect', () => wire.requestSsl());
    if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`);
    else wire.connect(port, host);
  });
}

// The driver's class, reached through its connection, since only Sequelize may import the driver.
function openWire({ ssl, sslNegotiation, connection }: CancellableClient): WireConnection {
  const Wire = connection.constructor as new (options: object) => WireConnection;
  return new Wire({ ssl, sslNegotiation });
}
