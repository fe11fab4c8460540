import { createServer, type Server, type ServerOptions } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { ConfigError, type Config } from './config/config.js';
import { httpLimits } from './protocol/message.js';

/**
 * The limits of an HTTP server. Node ends slow and oversized requests; by default it checks only every 30 seconds.
 * Requests without Host are rejected with other ambiguous requests, in the form of every error.
 */
export function serverOptions({ headersTimeout, requestTimeout }: Config): ServerOptions {
  return {
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: httpLimits.head,
    requireHostHeader: false,
  };
}

/** Listens for the service and for its operators; without the service's listener the operators' one is useless. */
export async function listenBoth(server: Server, operations: Server | undefined, { host, port, operationsPort }: Config): Promise<void> {
  if (operations !== undefined)
    await listen(
      operations,
      host,
      operationsPort,
      (taken) => `Port ${taken} is in use by another program; set another GABLE_OPERATIONS_PORT.`,
    );
  await listen(
    server,
    host,
    port,
    (taken) => `Port ${taken} is in use by another program; choose another one, for example --port ${taken + 1}.`,
  ).catch((failure: unknown) => {
    operations?.close();
    throw failure;
  });
}

/** Rejects a configured port that another program uses. */
export async function requireFreePort(config: Config): Promise<void> {
  const server = createServer();
  await listenBoth(server, undefined, config);
  await new Promise((closed) => server.close(closed));
}

async function listen(server: Server, host: string, port: number, taken: (port: number) => string): Promise<void> {
  await new Promise<void>((ready, fail) => {
    server.once('error', (failure: NodeJS.ErrnoException) => {
      const reason = failure.code === 'EADDRINUSE' ? taken(port) : unusable(failure.code, host, port);
      fail(reason === undefined ? failure : new ConfigError(reason));
    });
    server.listen(port, host, ready);
  });
}

function unusable(code: string | undefined, host: string, port: number): string | undefined {
  if (code === 'EACCES') return `This account may not listen on port ${port}; choose one from 1024 on, for example --port 8080.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST is '${host}', which is no address of this machine; 0.0.0.0 stands for all of them.`;
  return undefined;
}

/** Whether only this machine reaches an address. */
export function isOwnAddress(host: string): boolean {
  return ['127.0.0.1', '::1', 'localhost'].includes(host);
}

/** The address of a server that listens. */
export function listeningUrl(server: Server, { host }: Config): string {
  const { port } = server.address() as AddressInfo; // The address of a TCP server is never a string.
  const name = host === '127.0.0.1' || host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}
