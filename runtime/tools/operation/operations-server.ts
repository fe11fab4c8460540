import { createServer, type Server } from 'node:http';
import type { Operation } from './operation.js';

/** Serves health and metrics on a separate port, which need not be open to clients. */
export function createOperationsServer(answer: Operation['answer']): Server {
  return createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    void answer(request.method ?? '', path)
      .catch(() => failed)
      .then((found) => {
        const { status, headers, body } = found ?? { status: 404, headers: {}, body: undefined };
        response.writeHead(status, headers).end(body);
      });
  });
}

const failed = { status: 500, headers: {}, body: undefined };
