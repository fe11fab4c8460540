import { get, type Agent, type IncomingMessage } from 'node:http';
import { secret } from '../support/service.js';

/** How many requests are under way when a service is asked to end. */
export const requests = 200;

/** Settings of a service whose requests wait for as long as a test needs. */
export const patient = {
  GABLE_ACQUIRE_TIMEOUT: '20000',
  GABLE_LOCK_TIMEOUT: '20000',
  GABLE_STATEMENT_TIMEOUT: '20000',
  GABLE_SECRET: secret,
  GABLE_LOG_REQUESTS: 'none',
};

/** The outcome of a request. */
export interface Answer {
  readonly status: number;
  readonly connection: string | undefined;
  readonly whole: boolean;
}

/** Asks over an agent's connections. */
export function read(url: string, agent: Agent, authorization: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { Authorization: authorization } }, (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const size = Buffer.concat(chunks).length;
        resolve({
          status: response.statusCode ?? 0,
          connection: response.headers.connection,
          whole: size > 0 && size === Number(response.headers['content-length']),
        });
      });
    }).on('error', reject);
  });
}
