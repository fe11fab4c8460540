import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

/** How a consumer answers a request. */
export interface ConsumerAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly after?: number;
}

/** A request to a consumer. */
export interface ReceivedDelivery {
  readonly id: string;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The status of the answer, once it has been sent. */
  status?: number;
}

/** A consumer of webhooks on this machine. */
export interface Consumer {
  readonly url: string;
  readonly received: ReceivedDelivery[];
  /** Answers the next requests, one each; further ones get 204. */
  readonly answers: ConsumerAnswer[];
  /** Secrets, any of which a signature must match. */
  readonly secrets: string[];
  /** Serves no longer, without TLS, or as before, at the same port. */
  readonly turn: (to: 'off' | 'plain' | 'on') => Promise<void>;
}

/** The file of the certificate that a consumer serves with, for NODE_EXTRA_CA_CERTS. */
export const certificateFile = 'test/webhooks/consumer-certificate.pem';

const certificate = { key: readFileSync('test/webhooks/consumer-key.pem'), cert: readFileSync(certificateFile) };

/** Starts a consumer, which refuses what it cannot verify with 400. */
export async function startConsumer(): Promise<Consumer> {
  const consumer: Omit<Consumer, 'url' | 'turn'> = { received: [], answers: [], secrets: [] };
  const listener: RequestListener = (request, response) => {
    void receive(request, consumer).then(async (delivery) => {
      const { status, headers = {}, after = 0 } = isVerified(delivery, consumer.secrets) ? (consumer.answers.shift() ?? accepted) : refused;
      await delay(after);
      if (!response.destroyed) delivery.status = status;
      response.writeHead(status, headers).end();
    });
  };
  let server = await listen(createServer(certificate, listener), 0);
  const { port } = server.address() as AddressInfo;
  const turn: Consumer['turn'] = async (to) => {
    server.closeAllConnections();
    if (server.listening) await new Promise((closed) => server.close(closed));
    if (to !== 'off') server = await listen(to === 'on' ? createServer(certificate, listener) : createPlainServer(listener), port);
  };
  return { ...consumer, url: `https://localhost:${port}/changes`, turn };
}

const accepted: ConsumerAnswer = { status: 204 };
const refused: ConsumerAnswer = { status: 400 };

async function receive(request: IncomingMessage, { received }: Pick<Consumer, 'received'>): Promise<ReceivedDelivery> {
  const { headers, method = '' } = request;
  const delivery: ReceivedDelivery = { id: String(headers['webhook-id']), method, headers, body: await text(request) };
  received.push(delivery);
  return delivery;
}

function isVerified({ method, headers, body }: ReceivedDelivery, secrets: readonly string[]): boolean {
  if (method === 'OPTIONS') return true;
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
      return true;
    } catch {
      // Not signed with this secret.
      return false;
    }
  });
}

async function listen(server: Server, port: number): Promise<Server> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
