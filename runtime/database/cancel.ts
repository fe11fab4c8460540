import { Connection } from './driver.js';
import { judgeSilence } from './judge-silence.js';
import { errors } from '../errors/catalogue.js';

/** The consumer of a statement's results. */
export interface Recipient {
  readonly isGone: () => boolean;
  /** Calls the listener when the consumer disconnects; returns a function that removes the listener. */
  readonly onGone: (listener: () => void) => () => void;
}

/** A recipient that never disconnects, for work without a client. */
export const anyone: Recipient = { isGone: () => false, onGone: () => () => undefined };

/** Throws if the recipient has disconnected. */
export function requireRecipient(recipient: Recipient): void {
  if (recipient.isGone()) throw errors.clientGone();
}

/**
 * Runs `work`, and cancels the client's current statement when the recipient disconnects, or on request, once at most.
 * It ends when no cancellation can reach the connection any more; then the connection may return to the pool.
 */
export async function workFor<T>(recipient: Recipient, client: CancellableClient, work: (cancel: () => void) => Promise<T>): Promise<T> {
  requireRecipient(recipient);
  let cancelled: Promise<undefined> | undefined;
  const cancel = (): void => {
    cancelled ??= cancelStatement(client);
    cancelled.catch(() => undefined); // It is thrown below.
  };
  const stopListening = recipient.onGone(cancel);
  try {
    return await work(cancel);
  } catch (failure) {
    requireRecipient(recipient);
    throw failure;
  } finally {
    stopListening();
    if (cancelled) await cancelled;
  }
}

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

const patience = 2_000;

/**
 * Cancels the current statement of a client, on a separate connection, which the server closes when the session has been
 * signalled, so that a later statement cannot be hit (PostgreSQL manual, "Canceling Requests in Progress").
 */
export function cancelStatement(client: CancellableClient): Promise<undefined> {
  const wire = openWire(client);
  return new Promise((resolve, reject) => {
    const giveUp = (): unknown =>
      wire.stream.destroy(Object.assign(new Error('The cancellation of a statement took too long.'), { code: 'ETIMEDOUT' }));
    const late = setTimeout(() => judgeSilence(giveUp), patience);
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

function openWire({ ssl, sslNegotiation }: CancellableClient): WireConnection {
  // The driver's types lack its options.
  const Wire = Connection as unknown as new (options: object) => WireConnection;
  return new Wire({ ssl, sslNegotiation });
}
